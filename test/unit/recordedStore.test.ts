import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { linkColumnsKind } from '../../src/linking/node/storedLinks';
import { storedPairs } from '../../src/comparison/node/storedPairs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../../package.json';
import { Accounts } from '../../src/accounts/node/accounts';
import { formulasKind } from '../../src/formulas/node/sessionFormulas';
import { storedPopulations } from '../../src/populations/node/sessionPopulations';
import { imagesKind } from '../../src/study/storedImages';
import type { AccountSession } from '../../src/workbench/node/accountSession';
import { AccountSessions } from '../../src/workbench/node/accountSessions';
import { PlainHosts } from '../../src/accounts/node/signIn';
import { resumeJobs } from '../../src/workbench/node/resumeJobs';
import { ClassColorChoices, ResultChoices } from '../../src/results/node/resultChoices';
import { pickUpSubmits } from '../../src/jobs/node/submit';
import { keyOfJob, reviveSource } from '../../src/session/node/resultSource';
import { Settings } from '../../src/host/settings';
import { StateFiles } from '../../src/accounts/node/stateFiles';
import { delay } from '../../src/base/waiting';
import { silentLog } from '../../src/base/log';
import { CrossWindowFolder } from '../../src/base/node/crossWindowFolder';
import { leftIntents } from '../../src/jobs/node/submitFiles';
import { startSampleService, type SampleService } from '../../src/sample/node/sampleService';
import { freePort } from '../host/freePort';
import { accountsAt, KEY, placeStore, USER, type EditorStore } from '../store/placeStore';
import { Keychain } from './accounts/node/keychain';
import { MemoryGlobalState } from './results/node/memoryGlobalState';
import { Workshop } from './sample/node/serviceHarness';

// The order of the tests is that of a window that opens, and works until the network is gone.
describe('A store that an earlier version wrote', () => {
  let root: string;
  let workshop: Workshop;
  let port: number;
  let editor: EditorStore;
  let service: SampleService;
  let accounts: Accounts;
  let sessions: AccountSessions;
  let session: AccountSession;
  let ids: { sample: string; other: string };
  /** The job of the panels that were open, with its images. */
  let jobId: string;
  let images: string[];

  const storage = () => join(root, 'storage');
  const uri = (name: string) => pathToFileURL(join(root, 'workspace', name)).href;
  const log = { ...silentLog, addSecret: () => undefined };
  const ofJob = () => ({ key: `job:${ids.sample}:${jobId}`, accountId: ids.sample });

  before(async () => {
    workshop = await Workshop.open();
    root = await mkdtemp(join(tmpdir(), 'recorded-store-'));
    port = await freePort();
    editor = await placeStore({ storage: storage(), workspace: join(root, 'workspace'), port });
    ids = accountsAt(port);
    const directory = join(storage(), 'sample', 'data');
    const started = await startSampleService({ directory, threadFile: workshop.bundle, delayMs: 0, log });
    ok(started.kind === 'started');
    service = started;
    const keychain = new Keychain();
    for (const [name, secret] of Object.entries(editor.secrets)) keychain.keys.set(name, secret);
    accounts = new Accounts(keychain.storage, storage(), log);
    const { baseUrl } = service.record;
    sessions = new AccountSessions({
      accounts,
      sample: () =>
        Promise.resolve({ ensureRunning: () => Promise.resolve({ baseUrl, apiKey: KEY }) } as never),
      settings: new Settings({ read: () => undefined }, manifest.contributes.configuration.properties, log),
      network: () => ({ environment: {}, timeoutMs: 60_000 }),
      startEngine: () => {
        throw new Error('not used');
      },
      extensionVersion: manifest.version,
      log,
      testing: { delay: (milliseconds, signal) => delay(Math.min(milliseconds, 10), signal) },
    });
    await accounts.load();
    session = await sessions.active();
    const { restore } = stateOf('imageAnalysis.table').keep;
    jobId = restore.jobId;
    images = (await session.submittedJobs.find(jobId))?.filesystemIds ?? [];
  });

  after(async () => {
    sessions.dispose();
    accounts.dispose();
    await service.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
    await workshop.close();
  });

  const stateOf = (viewType: string) =>
    editor.views.find(view => view.viewType === viewType)?.state as {
      keep: { restore: { accountId: string; jobId: string } };
    };

  it('has the accounts, the active one, and their keys under their names', async () => {
    const email = 'sample.user@example.org';
    deepEqual(accounts.all, [
      { id: ids.sample, baseUrl: `http://127.0.0.1:${port}`, user: USER, email, sample: true },
      { id: ids.other, baseUrl: `http://localhost:${port}`, user: USER, email, unused: true },
    ]);
    equal(accounts.active?.id, ids.sample);
    deepEqual(
      Object.keys(editor.secrets).sort(),
      [ids.sample, ids.other].map(id => `imageAnalysis.key.${id}`).sort(),
    );
    for (const { id } of accounts.all) equal(await accounts.key(id), KEY);
    deepEqual([...(await new PlainHosts(new StateFiles(storage())).all())], ['plain.example:8080']);
  });

  it('has the files and jobs of the sample service', async () => {
    equal(service.record.port, port);
    equal((await session.client.check()).user, USER);
    const { results } = await session.client.listAnalysisJobs();
    deepEqual(
      results.map(({ name }) => name),
      ['Of a colleague', 'Long run', 'Plate 1'],
    );
  });

  it('has the unfinished upload, of which what arrived is not sent again', async () => {
    const [batch, ...others] = await session.uploads.claimUnfinished();
    deepEqual(others, []);
    equal(batch?.destinationFolder, 'Recorded');
    deepEqual(
      batch?.unfinished.map(({ file, mayBeSent }) => ({ ...file, mayBeSent })),
      [
        { uri: uri('late/d.png'), fileName: 'd.png', folder: 'late', size: 1155, mayBeSent: false },
        { uri: uri('late/e.png'), fileName: 'e.png', folder: 'late', size: 1217, mayBeSent: false },
      ],
    );
    deepEqual(batch?.states, ['done', 'queued', 'queued']);
  });

  it('has the submit of a window that was killed, and no other', async () => {
    const submits = new CrossWindowFolder(accounts.folder(ids.sample).submits);
    const { results: listed } = await session.client.listAnalysisJobs();
    const before = listed.map(({ id }) => id);
    deepEqual(
      (await leftIntents(submits, () => sessions.currentProcess())).map(({ state }) => state),
      [{ at: 'sending', before }],
    );
    const questions = await pickUpSubmits(accounts, sessions, log);
    deepEqual(
      questions.map(({ request, candidates }) => [
        request.name,
        request.filesystemIds,
        request.masks,
        candidates,
      ]),
      [['Left behind', images.slice(0, 1), true, []]],
    );
    // Asked once; until then the same is not submitted again.
    deepEqual(await pickUpSubmits(accounts, sessions, log), []);
    for (const { request } of questions)
      await rejects(session.submitGuard.submit({ ...request, by: 'person' }), { code: 'ambiguous-submit' });
  });

  it('has the jobs that were not over, which are followed to their end', async () => {
    const ended = new Promise<string[]>(resolve => {
      const names: string[] = [];
      sessions.onDidEndJob(({ job }) => {
        if (names.push(`${job.name}: ${job.phase}`) === 2) resolve(names.sort());
      });
    });
    const tracked: string[] = [];
    session.tracker.onDidTrack(({ name = '' }) => tracked.push(name));
    await resumeJobs(
      accounts,
      sessions,
      () => Promise.resolve({ keepRunning: () => Promise.resolve() }),
      log,
    );
    deepEqual(tracked.sort(), ['Long run', 'Of a colleague']);
    deepEqual(await ended, ['Long run: succeeded', 'Of a colleague: succeeded']);
  });

  it('knows whose end was announced', async () => {
    for (const what of ['analysis', 'masks'] as const)
      equal(await session.endClaims.claim({ jobId, what, phase: 'succeeded', startedAt: 0 }), false);
  });

  it('has the records of runs', async () => {
    const record = await session.runs.find(jobId);
    ok(record);
    const { submittedAt, endedAt = '', extensionVersion, pipeline, ...others } = record;
    ok(Date.parse(submittedAt) <= Date.parse(endedAt));
    equal(extensionVersion, '0.1.0');
    ok(pipeline.description?.startsWith('Bright objects in two classes by size'));
    const items = ['a.png', 'b.png'].map((name, at) => ({ id: images[at], name, folder: 'Recorded/plate' }));
    deepEqual(
      others.items.map(({ id, name, folder }) => ({ id, name, folder })),
      items,
    );
    ok(others.items.every(({ sha256 = '' }) => /^[0-9a-f]{64}$/.test(sha256)));
    deepEqual(
      { ...others, items: [] },
      {
        version: 1,
        jobId,
        service: `127.0.0.1:${port}`,
        account: 'sample.user@example.org',
        name: 'Plate 1',
        items: [],
        masks: true,
        by: 'person',
        status: 'SUCCEEDED',
        resultId: 'recorded-result',
        outcome: { compared: true, withoutResult: images.slice(1) },
        imageColumns: recordedImages('Drug'),
      },
    );
    equal(await session.runs.claimMasks(jobId), false);
    const { name, objects } = session.jobFacts.get(jobId);
    deepEqual({ name, objects }, { name: 'First plate', objects: 40 });
  });

  it('knows which files became which images', async () => {
    const [image = ''] = images;
    const record = await session.uploadRecords.find(image);
    equal(record?.uri, uri('plate/a.png'));
    equal(record?.destinationFolder, 'Recorded/plate');
    ok(/^[0-9a-f]{64}$/.test(record?.sha256 ?? ''));
    const found = await session.uploadRecords.ofFiles(new Set([uri('plate/a.png'), uri('late/c.png')]));
    deepEqual([...found.keys()].sort(), [uri('late/c.png'), uri('plate/a.png')]);
  });

  it('has what was chosen for results, for submits, and for classes', async () => {
    const ofFiles = new StateFiles(join(storage(), 'local'));
    const choices = new ResultChoices(id => Promise.resolve(id === undefined ? ofFiles : session.state));
    const [one = '', other = ''] = images;
    deepEqual(await choices.pixelSizes(ofJob()), { [one]: 0.5 });
    deepEqual(await choices.backgroundImage(ofJob(), one), { uri: uri('plate/a.png') });
    deepEqual(await choices.backgroundImage(ofJob(), other), {
      uri: uri('plate/b.png'),
      use: { scaled: true },
    });
    deepEqual(await choices.imageLinks(ofJob()), [{ image: one, path: 'Recorded/plate/a.png' }]);
    equal(await choices.lastLinks(ofJob()), 'recorded-digest');
    deepEqual(await choices.value(linkColumnsKind, ofJob()), {
      image: { name: 'Image origin', index: 0 },
      id: { name: 'Object ID', index: 1 },
    });
    const pairsWith = (name: string) => {
      const source = (key: string) => ({
        key,
        title: '',
        restore: {},
        path: () => Promise.reject(new Error()),
      });
      const job = { ...source(ofJob().key), accountId: session.account.id };
      return storedPairs(choices, source(`masks:${uri(name)}`), job).read();
    };
    const inMasks = `${one}\nRecorded/plate/a.png`;
    deepEqual(await pairsWith('plate/truth.json'), [[{ a: '1\n1.png', b: inMasks }]]);
    deepEqual(await pairsWith('plate/masks.zip'), [[{ a: 'image-1\na.png', b: inMasks }]]);
    const elsewhere = { ...ofJob(), key: keyOfJob(session.account.id, 'elsewhere') };
    deepEqual(await choices.value(imagesKind, elsewhere), recordedImages('Donor'));
    const table = { key: `file:${uri('plate/objects.csv')}` };
    deepEqual(await choices.value(imagesKind, table), recordedImages('Dose'));
    const [large, ofClass] = (await choices.oldFilterSets(table, 'file'))[0]?.filters ?? [];
    deepEqual(large, { kind: 'range', column: 'Area', from: 100, to: null });
    deepEqual(ofClass, { kind: 'values', column: 'Class', values: ['a'] });
    const ofFile = { key: `masks:${uri('plate/masks.zip')}` };
    deepEqual(await choices.pixelSizes(ofFile), { 'image-1': 0.25 });
    deepEqual(await choices.objectsTable(ofFile), { kind: 'file', uri: uri('plate/objects.csv') });
    const measured = { key: `masks:${uri('late/masks.zip')}` };
    deepEqual(await choices.objectsTable(measured), { kind: 'measured' });
    deepEqual(await choices.value(formulasKind, ofJob()), {
      objects: [{ name: 'Half', formula: '[Area] / 2' }],
    });
    deepEqual(await choices.value(storedPopulations, ofJob()), {
      objects: [
        { name: 'Cells', gate: { kind: 'range', column: 'Area', from: 100 } },
        { name: 'Large', parent: 'Cells', gate: { kind: 'range', column: 'Area', from: 400, to: 900 } },
      ],
    });
    const { pipelines, masks } = await session.submitChoices.last();
    deepEqual([pipelines.length, masks], [1, true]);
    const { all } = new ClassColorChoices(new MemoryGlobalState(editor.globalState));
    deepEqual(all, { Large: '#ff8800' });
  });

  it('has the panels that were open', () => {
    const parts = { sessions, parseUri: () => ({}) as never, jobColumn: 'Job' };
    for (const viewType of ['imageAnalysis.table', 'imageAnalysis.masks']) {
      const source = reviveSource(parts, stateOf(viewType).keep.restore);
      deepEqual([source?.key, source?.title, source?.jobIds], [ofJob().key, 'First plate', [jobId]]);
    }
  });

  it('has the downloads, which are used without a request', async () => {
    await service.stop();
    // What the service has of them.
    const results = join(storage(), 'sample', 'data', 'results', jobId);
    for (const [part, name] of [
      ['objects', 'objects.csv'],
      ['aggregate', 'aggregate.csv'],
      ['masks', 'masks.zip'],
    ] as const) {
      const { path } = await session.resultFiles.fetch({ jobId, part });
      deepEqual(await readFile(path), await readFile(join(results, name)));
    }
  });
});

/** What was recorded as known of images, in a column of that name. */
function recordedImages(column: string) {
  return {
    columns: [{ name: column, role: 'condition', reference: '-Dox', order: ['007', '-Dox'] }],
    values: { 'Recorded/plate/a.png': ['-Dox'], 'Recorded/plate/b.png': ['007'] },
    excluded: { 'Recorded/plate/a.png': 'Out of focus' },
    patterns: ['{Drug}_*'],
  };
}
