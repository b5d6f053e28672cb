import { conversionsKind } from '../../src/study/convertedColumns';
import { formulasKind } from '../../src/formulas/node/sessionFormulas';
import { storedPopulations } from '../../src/populations/node/sessionPopulations';
import { selectionsKind } from '../../src/masks/storedObjects';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import manifest from '../../package.json';
import { Accounts } from '../../src/accounts/node/accounts';
import { AccountSessions } from '../../src/workbench/node/accountSessions';
import type { AccountSession } from '../../src/workbench/node/accountSession';
import { PlainHosts, signIn } from '../../src/accounts/node/signIn';
import { imagesKind, type StoredImages } from '../../src/study/storedImages';
import { linkColumnsKind } from '../../src/linking/node/storedLinks';
import { pairingKind } from '../../src/comparison/node/storedPairs';
import { ClassColorChoices, ResultChoices } from '../../src/results/node/resultChoices';
import { masksAfterAnalysis } from '../../src/jobs/node/masksOfJob';
import { submit } from '../../src/jobs/node/submit';
import { keyOfJob } from '../../src/session/node/resultSource';
import { imageKey } from '../../src/comparison/node/imagePairing';
import { Settings } from '../../src/host/settings';
import { StateFiles } from '../../src/accounts/node/stateFiles';
import { diskFileSource } from '../../src/uploads/node/fileSources';
import { silentLog } from '../../src/base/log';
import { EngineThread } from '../../src/session/node/engineThread';
import { newServiceRecord, writeServiceRecord } from '../../src/sample/node/serviceRecord';
import { startSampleService } from '../../src/sample/node/sampleService';
import { Keychain } from '../unit/accounts/node/keychain';
import { MemoryGlobalState } from '../unit/results/node/memoryGlobalState';
import { disks, repeat } from '../unit/sample/node/serviceHarness';
import { KEY, USER, type EditorStore, type StorePlace } from './placeStore';

/** The longest that the sample service can be told to take for an image, in milliseconds. */
const DELAY = 60_000;

const never = <T>(): Promise<T> => new Promise(() => undefined);

/**
 * Fills an empty store as windows do that sign in, upload, submit and download, until one of them
 * is killed: during a submit and an upload, while jobs run. `dist` must have been built.
 */
export async function fillStore({ storage, workspace, port }: StorePlace): Promise<EditorStore> {
  const used = `${storage}-in-use`;
  const data = join(used, 'sample', 'data');
  await mkdir(data, { recursive: true });
  const record = newServiceRecord();
  const secrets = { ...record.private, linkSecret: 'secret-of-the-recorded-links' };
  await writeServiceRecord(data, { ...record, port, apiKey: KEY, user: USER, private: secrets });
  await writeFile(join(data, 'items.json'), JSON.stringify({ items: [], seeded: true }));
  const log = { ...silentLog, addSecret: () => undefined };
  const options = { directory: data, threadFile: resolve('dist/sample.js'), delayMs: 0, log };
  const service = await startSampleService(options);
  if (service.kind !== 'started' || service.record.port !== port) throw new Error('The port is taken');
  const { baseUrl } = service.record;

  const keychain = new Keychain();
  const accounts = new Accounts(keychain.storage, used, log);
  const network = () => ({ environment: {}, timeoutMs: 60_000 });
  const declarations = manifest.contributes.configuration.properties;
  const sessions = new AccountSessions({
    accounts,
    sample: () =>
      Promise.resolve({ ensureRunning: () => Promise.resolve({ baseUrl, apiKey: KEY }) } as never),
    settings: new Settings({ read: () => undefined }, declarations, log),
    network,
    startEngine: () => new EngineThread(resolve('dist/engine.js')),
    extensionVersion: manifest.version,
    log,
  });
  const plainHosts = new PlainHosts(new StateFiles(used));
  await plainHosts.confirm('plain.example:8080');
  await signIn({ accounts, plainHosts, network, log }, baseUrl, KEY, { sample: true });
  const ofProgram = { activation: 'if-none' } as const;
  await signIn(
    { accounts, plainHosts, network, log },
    baseUrl.replace('127.0.0.1', 'localhost'),
    KEY,
    ofProgram,
  );
  const session = await sessions.active();

  const names = ['plate/a.png', 'plate/b.png', 'late/c.png', 'late/d.png', 'late/e.png'];
  for (const [at, name] of names.entries()) await writeImage(join(workspace, name), at);
  const [plate, late] = [names.slice(0, 2), names.slice(2)];
  const ids = await upload(session, workspace, plate);
  for (const id of ids)
    await repeat(
      () => session.uploadRecords.find(id),
      record => record?.sha256 !== undefined,
    );

  const pipelines = (await session.client.listPipelines()).results;
  const pipeline = pipelines.find(({ description }) => description?.includes('two classes'));
  if (!pipeline) throw new Error('The sample service has no pipeline with classes');
  const request = (name: string, filesystemIds: string[]) => ({
    name,
    pipelineId: pipeline.id,
    ...(pipeline.description && { pipelineDescription: pipeline.description }),
    filesystemIds,
    items: filesystemIds.map(id => ({ id, name: plate[ids.indexOf(id)]?.slice('plate/'.length) ?? '' })),
  });
  const jobId = await submit(session, { ...request('Plate 1', ids), masks: true }, 'person');
  const analysis = await session.tracker.waitFor(jobId);
  await masksAfterAnalysis(session, { ...analysis, jobId, what: 'analysis' });
  const masks = await session.tracker.waitFor(jobId, { masks: true });
  for (const job of [analysis, masks]) await session.endClaims.claim({ ...job, startedAt: 0 });
  for (const part of ['objects', 'aggregate', 'masks'] as const)
    await session.resultFiles.fetch({ jobId, part });
  const paths = plate.map(name => `Recorded/${name}`);
  await session.runs.masksOpened(jobId, 'recorded-result');
  await session.runs.resultsRead(jobId, {
    aggregate: paths.slice(0, 1),
    archive: ids.slice(0, 1).map((id, at) => ({ id, filename: paths[at] ?? '' })),
  });
  await session.runs.setValue(imagesKind, jobId, imagesOf(paths, 'Drug'));
  await session.jobFacts.add(jobId, { name: 'First plate', objects: 40 });
  await session.submitChoices.remember({ pipelineId: pipeline.id, masks: true });
  await chooseForResults(session, used, { workspace, jobId, ids, paths });
  const globalState = new MemoryGlobalState();
  await new ClassColorChoices(globalState).set({ Large: '#ff8800' });

  // From now on all that is requested stays under way.
  await setDelay(baseUrl, DELAY);
  await submit(session, request('Long run', ids), 'program');
  const [first = ''] = ids;
  const { id: followed } = await session.client.submitAnalysisJob({ ...request('Of a colleague', [first]) });
  await session.tracker.track(followed, { what: 'analysis', name: 'Of a colleague', by: 'person' });
  session.client.submitAnalysisJob = never;
  void submit(session, { ...request('Left behind', [first]), masks: true }, 'person');
  const { uploadFile } = session.client;
  let sent = 0;
  session.client.uploadFile = (...args) => (sent++ === 0 ? uploadFile.apply(session.client, args) : never());
  void upload(session, workspace, late);
  await repeat(
    async () => {
      const text = await contentOf(used);
      return text.includes('"at":"sending"') && text.includes('"states":"ds');
    },
    isSo => isSo,
  );
  // The window is killed.
  await cp(used, storage, { recursive: true, filter: source => !source.startsWith(data) });
  sessions.dispose();
  accounts.dispose();
  await service.stop();
  await cp(data, join(storage, 'sample', 'data'), { recursive: true });
  await rm(used, { recursive: true });
  return {
    secrets: Object.fromEntries(keychain.keys),
    globalState: Object.fromEntries(globalState.keys().map(key => [key, globalState.get(key)])),
    views: [],
  };
}

/** Images differ, so that the service could tell them apart. */
async function writeImage(path: string, at: number): Promise<void> {
  const centers = Array.from(
    { length: 20 },
    (_, n) => [20 + 40 * (n % 5), 20 + 40 * Math.floor(n / 5), n % 2 === 0 ? 6 : 12 + (at % 3)] as const,
  );
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, disks(200, 160, centers));
}

/** Uploads files of the workspace; the IDs of the items. */
async function upload(
  session: AccountSession,
  workspace: string,
  names: readonly string[],
): Promise<string[]> {
  const files = await Promise.all(
    names.map(async name => {
      const path = join(workspace, name);
      const [folder = '', fileName = ''] = name.split('/');
      return { uri: pathToFileURL(path).href, fileName, folder, size: (await stat(path)).size };
    }),
  );
  const { uploaded } = await session.uploads.send(
    { files, failed: [] },
    {
      destinationFolder: 'Recorded',
      concurrency: 1,
      open: (file, short) => diskFileSource(file, fileURLToPath(file.uri), short),
      signal: new AbortController().signal,
    },
  );
  return uploaded.map(({ id }) => id);
}

/** What a person knows of images. */
function imagesOf([first = '', ...others]: readonly string[], column: string): StoredImages {
  return {
    columns: [{ name: column, role: 'condition', reference: '-Dox', order: ['007', '-Dox'] }],
    values: { [first]: ['-Dox'], ...Object.fromEntries(others.map(path => [path, ['007']])) },
    excluded: { [first]: 'Out of focus' },
    patterns: ['{Drug}_*'],
  };
}

async function chooseForResults(
  { account, state }: AccountSession,
  storage: string,
  { workspace, jobId, ids, paths }: { workspace: string; jobId: string; ids: string[]; paths: string[] },
): Promise<void> {
  const ofFiles = new StateFiles(join(storage, 'local'));
  const choices = new ResultChoices(id => Promise.resolve(id === undefined ? ofFiles : state));
  const uri = (name: string) => pathToFileURL(join(workspace, name)).href;
  const [one = '', other = ''] = ids;
  const ofJob = { key: keyOfJob(account.id, jobId), accountId: account.id };
  await choices.setPixelSizes(ofJob, { [one]: 0.5 });
  await choices.setBackgroundImage(ofJob, one, { uri: uri('plate/a.png') });
  await choices.setBackgroundImage(ofJob, other, { uri: uri('plate/b.png'), use: { scaled: true } });
  await choices.setImageLinks(ofJob, [{ image: one, path: paths[0] ?? '' }]);
  await choices.setLastLinks(ofJob, 'recorded-digest');
  await choices.setValue(linkColumnsKind, ofJob, {
    image: { name: 'Image origin', index: 0 },
    id: { name: 'Object ID', index: 1 },
  });
  // Compared with a file of ground truth.
  const compared = { ...ofJob, key: `masks:${uri('plate/truth.json')}\n${ofJob.key}` };
  const inTruth = imageKey({ id: '1', path: '1.png' });
  const inMasks = imageKey({ id: one, path: paths[0] ?? '' });
  // As earlier versions stored it.
  await state.write('comparedImages', { [compared.key]: { [inTruth]: inMasks } });
  const again = { ...ofJob, key: `masks:${uri('plate/masks.zip')}\n${ofJob.key}` };
  await choices.setValue(pairingKind, again, [[{ a: 'image-1\na.png', b: inMasks }]]);
  // Of a job that was not submitted from here.
  await choices.setValue(
    imagesKind,
    { ...ofJob, key: keyOfJob(account.id, 'elsewhere') },
    imagesOf(paths, 'Donor'),
  );
  await choices.setValue(imagesKind, { key: `file:${uri('plate/objects.csv')}` }, imagesOf(paths, 'Dose'));
  const large = { kind: 'range' as const, column: 'Area', from: 100, to: null };
  const sets = [
    { name: 'Large', filters: [large, { kind: 'values' as const, column: 'Class', values: ['a'] }] },
  ];
  // As earlier versions stored them.
  await ofFiles.write('filterSets', { [`file:${uri('plate/objects.csv')}`]: { file: sets } });
  const ofFile = { key: `masks:${uri('plate/masks.zip')}` };
  await choices.setPixelSizes(ofFile, { 'image-1': 0.25 });
  await choices.setValue(conversionsKind, ofJob, {
    objects: { columns: ['Area'], sizes: { [paths[0] ?? '']: ['0.25', '0.5'] } },
  });
  await choices.setValue(formulasKind, ofJob, { objects: [{ name: 'Half', formula: '[Area] / 2' }] });
  await choices.setValue(storedPopulations, ofJob, {
    objects: [
      { name: 'Cells', gate: { kind: 'range', column: 'Area', from: 100 } },
      { name: 'Large', parent: 'Cells', gate: { kind: 'range', column: 'Area', from: 400, to: 900 } },
    ],
  });
  await choices.setValue(selectionsKind, ofFile, {
    Mitotic: [{ image: 'image-1', objectCount: 3, objects: [0, 2] }],
  });
  await choices.setObjectsTable(ofFile, { kind: 'file', uri: uri('plate/objects.csv') });
  await choices.setObjectsTable({ key: `masks:${uri('late/masks.zip')}` }, { kind: 'measured' });
}

async function setDelay(baseUrl: string, delayMs: number): Promise<void> {
  const { ok } = await fetch(`${baseUrl}/sample/settings`, {
    method: 'PUT',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ delayMs }),
  });
  if (!ok) throw new Error('The sample service refused its delay');
}

/** The text of all small files in a folder. */
async function contentOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name }) => name.endsWith('.json'));
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}
