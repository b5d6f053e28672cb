import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { FileResult, type ResultSource } from '../../../../src/session/node/resultSource';
import type { PartProgress } from '../../../../src/session/node/sessionEngine';
import { type ResultSession } from '../../../../src/session/node/resultSession';
import type { TableChoice } from '../../../../src/columns/tableSummary';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { type InProcessEngine } from '../../session/node/inProcessEngine';
import { fileUri, measuredTableOptions } from './measuredTableFixture';
import { openSession } from '../../session/node/sessionFixture';

describe('Masks without a table', () => {
  const signal = new AbortController().signal;
  let folder: string;
  let masks: string;
  let removeMasks: () => Promise<void>;
  let engines: InProcessEngine[];
  let session: ResultSession;
  let stored: Map<string, TableChoice>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-table-'));
    ({ path: masks, remove: removeMasks } = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 61, 47, [rectangle(1, 0, 0, 2, 3), rectangle(2, 4, 4, 6, 6)]),
      'b_objects.json': image('b', 10, 10, [rectangle(1, 1, 1, 2, 2)]),
    }));
  });
  after(async () => {
    await removeMasks();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => (stored = new Map()));
  afterEach(() => session.dispose());

  const local = () => new FileResult(fileUri(pathToFileURL(masks).toString()), 'masks');

  function open(source: ResultSource, backgroundImages: Record<string, string> = {}): void {
    ({ session, engines } = openSession(source, {
      measuredTable: measuredTableOptions(backgroundImages, stored),
    }));
  }

  it('get one measured from them, whose rows are linked', async () => {
    open(local());
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report, undefined);
    assert.equal(await session.tableSources.needsChoice(), true);
    await session.chooseTable({ kind: 'measured' }, signal);
    await session.get(sessionLinks).settled();
    assert.deepEqual(matchedOf(session), { matched: 3, objectsWithoutRow: 0, areaRatio: 1 });
    assert.deepEqual(session.tableSources.choice, { kind: 'measured' });
    assert.equal(await session.tableSources.needsChoice(), false);
    await session.get(sessionLinks).selected.setObject({ image: 1, object: 0 });
    const { rows } = await session.tables.request(
      'objects',
      'tableRows',
      { sort: [], start: 2, end: 3 },
      signal,
    );
    assert.equal(session.get(sessionLinks).selected.row, 2);
    assert.deepEqual(rows[0]?.slice(0, 5), ['b.tif', '1', 'Cell', '1', '0']);
  });

  it('are measured with the background images that are certain', async () => {
    open(local(), { a: 'test/golden/images/channels-focus-time.ome.tif' });
    await session.chooseTable({ kind: 'measured' }, signal);
    const { columns } = await session.tables.open('objects', signal);
    assert.deepEqual(
      columns.slice(10).map(({ name }) => name),
      ['Mean of DAPI & co', 'Mean of GFP'],
    );
    assert.equal(engines[0]?.requests.filter(method => method === 'closeBackgroundImage').length, 1);
  });

  it('are measured when the table is wanted, not when they open', async () => {
    stored.set(local().key, { kind: 'measured' });
    open(local());
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.ok(!engines[0]?.requests.includes('writeMeasuredTable'));
    const phases = new Set<PartProgress['phase']>();
    session.onDidProgress(({ part, phase }) => part === 'objects' && phases.add(phase));
    assert.equal((await session.tables.open('objects', signal)).rowCount, 3);
    assert.ok(phases.has('measuring'));
  });

  it('have the table that was chosen linked as soon as they open', async () => {
    const table = join(folder, 'mine.csv');
    await writeFile(table, 'Image,ID,Round\na.tif,2,0.5\nb.tif,1,0.25\n');
    const uri = pathToFileURL(table).toString();
    stored.set(local().key, { kind: 'file', uri });
    open(local());
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report?.matched, 2);
    assert.deepEqual(session.tableSources.choice, { kind: 'file', uri });
  });

  it('keep the selected object, in the row that it has in another table', async () => {
    const table = join(folder, 'other.csv');
    await writeFile(table, 'Image,ID,Round\nb.tif,1,0.25\na.tif,2,0.5\n');
    open(local());
    await session.masks.open(signal);
    await session.chooseTable({ kind: 'measured' }, signal);
    await session.get(sessionLinks).settled();
    await session.get(sessionLinks).selected.setRow(2);
    assert.deepEqual(session.get(sessionLinks).selected.object, { image: 1, object: 0 });
    await session.chooseTable({ kind: 'file', uri: pathToFileURL(table).toString() }, signal);
    await session.get(sessionLinks).settled();
    assert.deepEqual(
      [session.get(sessionLinks).selected.row, session.get(sessionLinks).selected.object],
      [0, { image: 1, object: 0 }],
    );
  });

  it('keep the table they had when another cannot be opened', async () => {
    open(local());
    await session.masks.open(signal);
    await session.chooseTable({ kind: 'measured' }, signal);
    const replaced: string[] = [];
    session.tables.onDidReplace(kind => replaced.push(kind));
    const missing = pathToFileURL(join(folder, 'missing.csv')).toString();
    await assert.rejects(session.chooseTable({ kind: 'file', uri: missing }, signal), error =>
      isCoded(error, 'not-a-file'),
    );
    assert.deepEqual(stored.get(local().key), { kind: 'measured' });
    assert.equal((await session.tables.open('objects', signal)).rowCount, 3);
    assert.deepEqual(replaced, ['objects', 'objects']);
  });

  it('have no table chosen after measuring was canceled, and no file is left', async () => {
    open(local());
    await session.masks.open(signal);
    const before = await temporaryFolders();
    const controller = new AbortController();
    session.onDidProgress(({ phase }) => phase === 'measuring' && controller.abort());
    await assert.rejects(session.chooseTable({ kind: 'measured' }, controller.signal), error =>
      isCoded(error, 'cancelled'),
    );
    assert.equal(stored.size, 0);
    assert.equal(await session.tableSources.needsChoice(), true);
    session.dispose();
    while ((await temporaryFolders()) > before) await new Promise(resolve => setImmediate(resolve));
  });

  it('of a job get one where the job has none', async () => {
    const job: ResultSource = {
      key: 'job',
      title: 'Job',
      accountId: 'me',
      restore: {},
      path: what =>
        what === 'masks' ? Promise.resolve(masks) : Promise.reject(new CodedError('not-found', 'None')),
    };
    open(job);
    assert.equal(await session.tableSources.needsChoice(), false);
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.equal(await session.tableSources.needsChoice(), true);
    await session.chooseTable({ kind: 'measured' }, signal);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report?.matched, 3);
  });

  function matchedOf(session: ResultSession) {
    const link = session.get(sessionLinks).report;
    return { matched: link?.matched, objectsWithoutRow: link?.objectsWithoutRow, areaRatio: link?.areaRatio };
  }

  async function temporaryFolders(): Promise<number> {
    return (await readdir(tmpdir())).filter(name => name.startsWith('image-analysis-')).length;
  }
});
