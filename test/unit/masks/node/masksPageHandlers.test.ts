import { imageCategories } from '../../../../src/linking/node/imageValues';
import { sessionRows } from '../../../../src/linking/node/sessionRows';
import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../../../../src/base/errors';
import { receivedLabels } from '../../../../src/archives/labelRuns';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import { masksPageHandlers, linkedDataOf } from '../../../../src/masks/node/rowsAndObjects';
import { type ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { openSession } from '../../session/node/sessionFixture';

const signal = new AbortController().signal;
/**
 * Object 3 of the archive has no row, object 2 no number in its row, and the last row no object.
 */
const TABLE =
  'Image origin,Object ID,Class,Area\na.tif,2,Cell,\na.tif,1,Cell,4\na.tif,4,Cell,16\na.tif,9,Cell,1\n';

const never = () => Promise.reject(new Error('Not to be requested'));

describe('The handlers of the masks page, for rows and objects,', () => {
  let folder: string;
  let removeMasks: () => Promise<void>;
  let session: ResultSession;
  let handlers: ReturnType<typeof masksPageHandlers>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masks-page-'));
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
      jobIds: ['job'],
      path: what =>
        what === 'aggregate' || what === 'file'
          ? Promise.reject(new CodedError('not-found', 'Not there'))
          : Promise.resolve(what === 'masks' ? archive.path : objects),
    };
    // What another subject knows of images.
    const known = (opened: ResultSession) =>
      void opened.add(imageCategories, { valuesOf: index => (index === 0 ? ['c', 'b'] : undefined) });
    ({ session } = openSession(source, { added: [known] }));
    handlers = masksPageHandlers(linkedDataOf(session));
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report?.matched, 3);
  });
  after(async () => {
    session.dispose();
    await removeMasks();
    await rm(folder, { recursive: true });
  });
  afterEach(() => void session.get(sessionRows).setShown(null));

  it('return the numeric columns of the table, without the object ID', async () => {
    assert.deepEqual(await handlers.objectColumns({}, signal), { columns: [{ column: 3, name: 'Area' }] });
  });

  it('return the columns although another table was chosen while this one was opened', async () => {
    let link = session.get(sessionLinks).report;
    const replaced = masksPageHandlers({
      ...{ masks: { request: never }, rows: { shown: null, select: () => assert.fail() } },
      categories: undefined,
      links: {
        get report() {
          return link;
        },
      },
      tables: {
        request: never,
        open: async (kind, until) => {
          const table = await session.tables.open(kind, until);
          link = undefined;
          return table;
        },
      },
    });
    assert.deepEqual(await replaced.objectColumns({}, signal), { columns: [{ column: 3, name: 'Area' }] });
  });

  it('return a value for each object, NaN where there is no row or no number', async () => {
    const { values, total } = await session.masks.request('objectValues', { image: 0, column: 3 }, signal);
    assert.deepEqual([total, ...new Float64Array(values)], [4, 4, NaN, NaN, 16]);
    const rest = await session.masks.request('objectValues', { image: 0, column: 3, from: 2 }, signal);
    assert.deepEqual([rest.total, ...new Float64Array(rest.values)], [4, NaN, 16]);
  });

  it('return the distribution of the values of all rows', async () => {
    const { min, max, counts } = await handlers.valueScale({ column: 3 }, signal);
    assert.deepEqual([min, max], [1, 16]);
    assert.equal(
      new Uint32Array(counts).reduce((sum, count) => sum + count, 0),
      3,
    );
  });

  it('return that all objects are shown while nothing is filtered', async () => {
    assert.deepEqual(await handlers.shownObjects({ image: 0 }, signal), { shown: null });
  });

  it('return as shown only objects whose rows pass the table’s filter', async () => {
    const filters = [{ kind: 'range' as const, column: 3, from: 2, to: null }];
    await session.get(sessionRows).setShown({ view: { sort: [], filters }, rowCount: 2, total: 4 });
    const { shown } = await handlers.shownObjects({ image: 0 }, signal);
    assert.deepEqual([...new Uint8Array(shown ?? new ArrayBuffer(0))], [1, 0, 0, 1]);
  });

  it('return the cells of a row as the file has them', async () => {
    const { cells } = await handlers.objectRow({ row: 2 }, signal);
    assert.deepEqual(
      cells.map(({ name, text }) => `${name}=${text}`),
      ['Image origin=a.tif', 'Object ID=4', 'Class=Cell', 'Area=16'],
    );
  });

  it('select the rows of objects, without those that have no row', async () => {
    const selected = new Promise(resolve => session.get(sessionRows).onDidSelect(resolve));
    const selection = [{ image: 0, objects: [0, 2, 3] }];
    assert.deepEqual(await handlers.selectRows({ selection }, signal), { rows: 2 });
    const { set } = (await selected) as { set: number };
    await session.get(sessionRows).setShown({
      view: { sort: [], filters: [{ kind: 'rowSet', set }] },
      rowCount: 2,
      total: 4,
    });
    const { shown } = await handlers.shownObjects({ image: 0 }, signal);
    assert.deepEqual([...new Uint8Array(shown ?? new ArrayBuffer(0))], [1, 0, 0, 1]);
  });

  it('return the objects in a region', async () => {
    const polygon = [0, 0, 30, 0, 30, 8, 0, 8];
    const region = { image: 0, polygon };
    assert.deepEqual((await session.masks.request('objectsInRegion', region, signal)).objects, [0, 1]);
  });

  it('return tiles that show the objects below hidden ones', async () => {
    const hidden = new Uint8Array([0b1]).buffer;
    const tile = { image: 0, level: 0, x: 0, y: 0 };
    const all = await session.masks.request('labelTile', tile, signal);
    const some = await session.masks.request('labelTile', { ...tile, hidden }, signal);
    const labels = [all, some].map(sent => receivedLabels(sent, TILE_SIZE ** 2)[0]);
    assert.deepEqual(labels, [1, 0]);
  });

  it('return columns of texts that images have, with the texts in their order and their positions', async () => {
    const columns = [{ name: 'Treatment', values: ['b'] }];
    const added = { table: 'objects', keyColumn: 0, keys: ['a.tif'], columns };
    session.tables.extended('objects', await session.request('extendTable', added, signal));
    await session.get(sessionLinks).settled();
    const { columns: shown } = await handlers.objectColumns({}, signal);
    assert.deepEqual(shown.at(-1), { column: 4, name: 'Treatment', categories: ['c', 'b'] });
    const { values } = await session.masks.request(
      'objectValues',
      { image: 0, column: 4, categories: ['a', 'b'] },
      signal,
    );
    // The third object has no row.
    assert.deepEqual([...new Float64Array(values)], [1, 1, NaN, 1]);
    const others = { image: 0, column: 4, categories: ['a'] };
    const { values: none } = await session.masks.request('objectValues', others, signal);
    assert.ok(new Float64Array(none).every(Number.isNaN));
  });
});
