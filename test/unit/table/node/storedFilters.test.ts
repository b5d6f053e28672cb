import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import { sessionRows } from '../../../../src/linking/node/sessionRows';
import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, isCoded } from '../../../../src/base/errors';
import type { Filter } from '../../../../src/columns/viewSpec';
import { FiltersInWorkspace, restoreFilters } from '../../../../src/table/node/storedFilters';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import type { TableShown } from '../../../../src/linking/shownRows';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { openSession } from '../../session/node/sessionFixture';

const { signal } = new AbortController();

/** What VS Code stores is JSON. */
function workspace() {
  const stored = new Map<string, string>();
  return {
    stored,
    state: {
      get: (key: string): unknown => JSON.parse(stored.get(key) ?? 'null') ?? undefined,
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, JSON.stringify(value))),
    },
  };
}

describe('The filters of a table after a reload', () => {
  let folder: string;
  let source: ResultSource;
  let removeMasks: () => Promise<void>;
  let objects: string;
  const AREAS = [4, 16, 9, 25];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kept-filters-'));
    objects = join(folder, 'objects.csv');
    const rows = AREAS.map((area, at) => `a.tif,${at + 1},Cell,${area},${at}\n`);
    await writeFile(objects, `Image origin,Object ID,Class,Area,X\n${rows.join('')}`);
    const archive = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image(
        'a',
        40,
        40,
        AREAS.map((area, at) => rectangle(at + 1, 9 * at, 0, 9 * at + Math.sqrt(area), Math.sqrt(area))),
      ),
    });
    removeMasks = archive.remove;
    source = {
      key: 'test',
      title: 'Test',
      restore: {},
      jobIds: ['job'],
      path: what =>
        what === 'aggregate' || what === 'file'
          ? Promise.reject(new CodedError('not-found', 'Not there'))
          : Promise.resolve(what === 'masks' ? archive.path : objects),
    };
  });
  afterEach(async () => {
    await removeMasks();
    await rm(folder, { recursive: true });
  });

  /** Keeps filters in one session as a table's page sends them, and restores them in another. */
  async function reloaded(filters: Filter[], lasso?: { x: number; y: number; polygon: number[] }) {
    const { state } = workspace();
    const before = openSession(source).session;
    const { columns } = await before.tables.open('objects', signal);
    const lassos: NonNullable<TableShown['lassos']> = [];
    if (lasso) {
      const { set } = await before.tables.request('objects', 'tableLasso', { sort: [], ...lasso }, signal);
      lassos.push({ set, ...lasso });
      filters.push({ kind: 'rowSet', set });
    }
    const shown = { view: { sort: [], filters }, rowCount: 0, total: 4, lassos };
    await new FiltersInWorkspace(state).set(source, shown, columns);
    before.dispose();
    const { session } = openSession(source);
    const kept = new FiltersInWorkspace(state).of(source);
    return { session, kept };
  }

  it('choose the same objects on the masks before the table is shown, a lasso among them', async () => {
    const { session, kept } = await reloaded([{ kind: 'range', column: 3, from: 5, to: null }], {
      x: 4,
      y: 3,
      // X from −1 to 1.5, Area from 0 to 30.
      polygon: [-1, 0, 1.5, 0, 1.5, 30, -1, 30],
    });
    const changes: unknown[] = [];
    session.get(sessionRows).onDidChangeShown(() => changes.push(session.get(sessionRows).shown));
    void restoreFilters(session, kept ?? {});
    await session.get(sessionRows).settled();
    equal(changes.length, 1);
    equal(session.get(sessionRows).shown?.rowCount, AREAS.filter((area, x) => area >= 5 && x < 1.5).length);
    await session.get(sessionLinks).settled();
    const { view } = session.get(sessionRows).shown ?? { view: { sort: [] } };
    const { shown } = await session.masks.request('objectsInView', { image: 0, view }, signal);
    deepEqual(
      [...new Uint8Array(shown)],
      AREAS.map((area, x) => (area >= 5 && x < 1.5 ? 1 : 0)),
    );
    session.dispose();
  });

  it('give way to what the table shows meanwhile', async () => {
    const { session, kept } = await reloaded([{ kind: 'range', column: 3, from: 5, to: null }]);
    const restoring = restoreFilters(session, kept ?? {});
    await session.get(sessionRows).setShown(null);
    await restoring;
    equal(session.get(sessionRows).shown, null);
    session.dispose();
  });

  it('are refused where another column is in the place of one that was filtered', async () => {
    const { session, kept } = await reloaded([{ kind: 'range', column: 3, from: 5, to: null }]);
    await writeFile(objects, 'Image origin,Object ID,Class,Perimeter,X\na.tif,1,Cell,4,1\n');
    const refused = await restoreFilters(session, kept ?? {}).catch((error: unknown) => error);
    equal(isCoded(refused, 'bad-request'), true);
    await session.get(sessionRows).settled();
    equal(session.get(sessionRows).shown, null);
    session.dispose();
  });

  it('are kept without rows selected on the masks, until there are none or their account is gone', async () => {
    const { state, stored } = workspace();
    const filters = new FiltersInWorkspace(state);
    const { session } = openSession(source);
    const { columns } = await session.tables.open('objects', signal);
    session.dispose();
    const range: Filter = { kind: 'range', column: 3, from: 5, to: null };
    const shown = (...all: Filter[]) => ({ view: { sort: [], filters: all }, rowCount: 1, total: 4 });
    await filters.set(source, shown({ kind: 'rowSet', set: 7 }), columns);
    equal(filters.of(source), undefined);
    await filters.set(source, shown(range, { kind: 'rowSet', set: 7 }), columns);
    deepEqual(filters.of(source)?.filters, [
      { filter: range, columns: [{ index: 3, name: 'Area', kind: 'number' }] },
    ]);
    const ofAccount = { key: 'job', accountId: 'me' };
    await filters.set(ofAccount, shown(range), columns);
    await filters.keepAccounts(new Set(['me']));
    equal(filters.of(ofAccount)?.accountId, 'me');
    await filters.keepAccounts(new Set());
    equal(filters.of(ofAccount), undefined);
    await filters.set(source, null, []);
    deepEqual([...stored.values()], ['{}']);
    const values = [...Array(40).keys()].map(at => `${at}`.repeat(40_000));
    await filters.set(source, shown({ kind: 'values', column: 2, values }), columns);
    deepEqual(filters.of(source), {});
  });
});
