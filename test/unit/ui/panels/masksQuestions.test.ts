import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded, CodedError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { masksQuestionHandlers } from '../../../../src/ui/panels/masksQuestions';
import { ResultSession } from '../../../../src/ui/panels/resultSession';
import type { ResultSource } from '../../../../src/ui/panels/resultSource';
import { image, index, rectangle, writeArchive } from '../../results/masks/archives';
import { InProcessEngine } from './inProcessEngine';

const signal = new AbortController().signal;
/** Object 3 of the archive has no row, object 2 no number in its row, and the last row no object. */
const TABLE =
  'Image origin,Object ID,Class,Area\na.tif,2,Cell,\na.tif,1,Cell,4\na.tif,4,Cell,16\na.tif,9,Cell,1\n';

describe('what the masks page asks about rows and objects', () => {
  let folder: string;
  let removeMasks: () => Promise<void>;
  let session: ResultSession;
  let ask: ReturnType<typeof masksQuestionHandlers>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masks-questions-'));
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, TABLE);
    const archive = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 40, 40, [
        rectangle(1, 0, 0, 2, 2),
        rectangle(2, 4, 4, 6, 6),
        rectangle(3, 10, 10, 12, 12),
        rectangle(4, 20, 20, 24, 24),
      ]),
    });
    removeMasks = archive.remove;
    const source: ResultSource = {
      key: 'test',
      title: 'Test',
      restore: {},
      path: what =>
        what === 'aggregate' || what === 'file'
          ? Promise.reject(new CodedError('not-found', 'Not there'))
          : Promise.resolve(what === 'masks' ? archive.path : objects),
    };
    session = new ResultSession(source, () => new InProcessEngine(), silentLog);
    ask = masksQuestionHandlers(session);
    await session.openMasks(signal);
    await session.linkSettled();
    assert.equal(session.link?.matched, 3);
  });
  after(async () => {
    session.dispose();
    await removeMasks();
    await rm(folder, { recursive: true });
  });
  afterEach(() => session.setShown(null));

  it('names the numeric columns of the table, the object’s id left out', async () => {
    assert.deepEqual(await ask.objectColumns({}, signal), { columns: [{ column: 3, name: 'Area' }] });
  });

  it('gives each object its value, and none where there is no row or no number', async () => {
    const { values, total } = await ask.objectValues({ image: 0, column: 3 }, signal);
    assert.deepEqual([total, ...new Float64Array(values)], [4, 4, NaN, NaN, 16]);
    const rest = await ask.objectValues({ image: 0, column: 3, from: 2 }, signal);
    assert.deepEqual([rest.total, ...new Float64Array(rest.values)], [4, NaN, 16]);
  });

  it('tells how the values of all rows are spread', async () => {
    const { min, max, counts } = await ask.valueScale({ column: 3 }, signal);
    assert.deepEqual([min, max], [1, 16]);
    assert.equal(
      new Uint32Array(counts).reduce((sum, count) => sum + count, 0),
      3,
    );
  });

  it('shows all objects while nothing is filtered', async () => {
    assert.deepEqual(await ask.shownObjects({ image: 0 }, signal), { shown: null });
  });

  it('shows only objects whose rows pass the table’s filter', async () => {
    const filters = [{ kind: 'range' as const, column: 3, from: 2, to: null }];
    session.setShown({ view: { sort: [], filters }, rowCount: 2, total: 4 });
    const { shown } = await ask.shownObjects({ image: 0 }, signal);
    assert.deepEqual([...new Uint8Array(shown ?? new ArrayBuffer(0))], [1, 0, 0, 1]);
  });

  it('gives the cells of a row as the file has them', async () => {
    const { cells } = await ask.objectRow({ row: 2 }, signal);
    assert.deepEqual(
      cells.map(({ name, text }) => `${name}=${text}`),
      ['Image origin=a.tif', 'Object ID=4', 'Class=Cell', 'Area=16'],
    );
  });

  it('picks the rows of objects, those without a row left out', async () => {
    const picked = new Promise(resolve => session.onDidPickRows(resolve));
    assert.deepEqual(await ask.pickObjects({ image: 0, objects: [0, 2, 3] }, signal), { rows: 2 });
    const { set } = (await picked) as { set: number };
    session.setShown({
      view: { sort: [], filters: [{ kind: 'rowSet', set }] },
      rowCount: 2,
      total: 4,
    });
    const { shown } = await ask.shownObjects({ image: 0 }, signal);
    assert.deepEqual([...new Uint8Array(shown ?? new ArrayBuffer(0))], [1, 0, 0, 1]);
  });

  it('finds the objects in a region', async () => {
    const polygon = [0, 0, 30, 0, 30, 8, 0, 8];
    assert.deepEqual((await ask.objectsInRegion({ image: 0, polygon }, signal)).objects, [0, 1]);
  });

  it('shows what lies beneath objects that are hidden', async () => {
    const hidden = new Uint8Array([0b1]).buffer;
    const all = new Uint32Array((await ask.labelTile({ image: 0, level: 0, x: 0, y: 0 }, signal)).labels);
    const some = new Uint32Array(
      (await ask.labelTile({ image: 0, level: 0, x: 0, y: 0, hidden }, signal)).labels,
    );
    assert.deepEqual([all[0], some[0]], [1, 0]);
  });

  it('refuses what is no question', async () => {
    const wrong = [
      () => ask.objectValues({ image: -1, column: 3 }, signal),
      () => ask.pickObjects({ image: 0, objects: ['1'] as unknown as number[] }, signal),
      () => ask.labelTile({ image: 0, level: 0, x: 0, y: 0, hidden: [1] as unknown as ArrayBuffer }, signal),
      () => ask.objectRow({ row: 0.5 }, signal),
    ];
    for (const question of wrong) {
      await assert.rejects(
        async () => question(),
        error => isCoded(error, 'bad-request'),
      );
    }
  });
});
