import { deepEqual } from 'node:assert/strict';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import type { SortKey } from '../../../../src/columns/viewSpec';
import type { TableAddition } from '../../../../src/table/page/contribution';
import { extendTable } from '../../../../src/table/page/extendTable';
import type { PageFilter } from '../../../../src/table/page/filterList';
import { TableStore } from '../../../../src/table/page/state/tableStore';
import { fittingView, type TableViewState } from '../../../../src/table/page/tableViewState';
import { NOTHING_ADDED, tableStart } from './tableStart';

/** Columns of images have their names, and what they are known by after a colon if it is another. */
const columnsOf = (...ofImages: string[]): TableSummary['columns'] => [
  { index: 0, name: 'Image', kind: 'text' },
  { index: 1, name: 'Area', kind: 'number' },
  ...ofImages.map((named, at) => {
    const [name = '', id] = named.split(':');
    const known = id === undefined ? {} : { id };
    return { index: 2 + at, name, kind: 'text' as const, ofImage: true as const, ...known };
  }),
];
const table: TableSummary = {
  columns: columnsOf('Dose', 'Donor'),
  rowCount: 100,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
};
const range: PageFilter = { filter: { kind: 'range', column: 1, from: 5, to: null } };
const allDue = () => new Promise<void>(resolve => setImmediate(resolve));

/** A page whose counts of rows are responded to by hand; its grid keeps what it was told. */
async function openPage(saved: Partial<TableViewState>, changedHere?: TableAddition['changedHere']) {
  const counts: ((rowCount: number) => void)[] = [];
  const view = { ...fittingView(saved, table), imageColumns: ['Dose', 'Donor'] };
  const port = {
    view: view as Partial<TableViewState>,
    updateView: (changes: Partial<TableViewState>) => (port.view = { ...port.view, ...changes }),
  };
  const panel = {
    send: () => undefined,
    request: (method: string) =>
      method === 'applyFilters'
        ? new Promise(resolve => counts.push(rowCount => resolve({ rowCount })))
        : Promise.reject(new Error(method)),
  };
  const store = new TableStore({
    start: tableStart(table),
    view,
    port,
    panel: panel as never,
    ...NOTHING_ADDED,
    ...(changedHere && { contributions: [{ open: () => ({ changedHere }) }] }),
  });
  const grid = {
    columns: [] as string[],
    sort: [] as readonly SortKey[],
    widths: {},
    rows: [] as number[],
    shown: [],
    setColumns(columns: TableSummary['columns'], widths: object) {
      Object.assign(grid, { columns: columns.map(({ name }) => name), widths });
    },
    setSort: (sort: readonly SortKey[]) => (grid.sort = sort),
    setLayout: () => undefined,
    setRows: (rowCount: number) => grid.rows.push(rowCount),
    reveal: () => undefined,
  };
  const setting = store.table.setFilters([range]);
  counts.shift()?.(7);
  await setting;
  store.grid = grid as never;
  const noticed: string[] = [];
  const undo = {
    forget: () => undefined,
    columnsRenamed: () => undefined,
    recordStep: (change: () => void) => change(),
    withoutUndo: async (change: () => Promise<void>) => {
      await change();
      noticed.push('from now on');
    },
  };
  const show = (columns: TableSummary['columns']) =>
    extendTable({ store, port: port as never, view, undo }, { ...table, columns });
  const extend = (...ofImages: string[]) => show(columnsOf(...ofImages));
  return { store, port, grid, counts, noticed, extend, show };
}

describe('Columns of images that move while filtered rows are counted', () => {
  // Statistics wait for a frame, which never comes.
  before(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  it('are at once where they are then, and what is changed meanwhile stays', async () => {
    const { store, port, grid, counts, noticed, extend } = await openPage({
      sort: [{ column: 3, descending: true }],
    });
    store.table.setSort([{ column: 3, descending: true }]);
    store.groups.choose({ by: [3] });
    const extending = extend('Donor');
    await allDue();
    deepEqual([grid.columns, grid.sort], [['Image', 'Area', 'Donor'], [{ column: 2, descending: true }]]);
    deepEqual(store.groups.state.peek().by, [2]);
    // The rows are of other columns; there are as many as before as far as is known.
    deepEqual(grid.rows, [7]);
    // What a person does from now on can be undone.
    deepEqual(noticed, ['from now on']);
    const sort = [{ column: 1, descending: false }];
    store.table.setSort(sort);
    store.groups.choose({ by: [0, 2] });
    store.columns.toggle(1, false);
    store.columns.resized('column-2', 90);
    counts.shift()?.(5);
    await extending;
    deepEqual([store.table.sort, grid.sort], [sort, [{ column: 2, descending: true }]]);
    deepEqual([store.groups.state.peek().by, store.columns.layout.peek().hidden], [[0, 2], [1]]);
    deepEqual(port.view.widths, { 'column-2': 90 });
    deepEqual([store.table.rowCount, grid.rows, port.view.imageColumns], [5, [7, 5], ['Donor']]);
  });

  it('take filters along to a computed column that the user edits, and not to one that replaces it', async () => {
    const columns = columnsOf('Dose', 'Donor');
    const withComputed = (name: string, formula: string): TableSummary['columns'] => [
      ...columns,
      { index: 4, name, kind: 'number', computed: { formula, type: 'number' } },
    ];
    const filtered = async (changedHere?: TableAddition['changedHere']) => {
      const { store, counts, show } = await openPage({}, changedHere);
      const counted = async (change: Promise<unknown>) => {
        await allDue();
        counts.shift()?.(5);
        await change;
      };
      await counted(show(withComputed('Half', '[Area] / 2')));
      const ofComputed: PageFilter = { filter: { kind: 'range', column: 4, from: 5, to: null } };
      await counted(store.table.setFilters([range, ofComputed]));
      await counted(show(withComputed('Double', '[Area] * 2')));
      return store.table.latestFilters.map(({ filter }) => 'column' in filter && filter.column);
    };
    deepEqual(await filtered(), [1]);
    deepEqual(await filtered(() => new Map([['Half', 'Double']])), [1, 4]);
  });

  it('take filters along where they are renamed, and not to others that are added as they go', async () => {
    const filtered = async (...now: string[]) => {
      const { store, counts, extend } = await openPage({});
      const counted = async (change: Promise<unknown>) => {
        await allDue();
        counts.shift()?.(5);
        await change;
      };
      const ofDose: PageFilter = { filter: { kind: 'values', column: 2, values: ['1'] } };
      await counted(store.table.setFilters([range, ofDose]));
      await counted(extend(...now));
      return store.table.latestFilters.map(({ filter }) => 'column' in filter && filter.column);
    };
    deepEqual(await filtered('Compound:Dose', 'Donor'), [1, 2]);
    deepEqual(await filtered('Compound', 'Donor'), [1]);
    deepEqual(await filtered('Compound', 'Dose', 'Donor'), [1, 3]);
  });

  it('keep the widths that they get meanwhile where they only get other names', async () => {
    const { store, grid, counts, extend } = await openPage({ widths: { 'column-1': 50 } });
    const extending = extend('Compound:Dose', 'Donor');
    await allDue();
    deepEqual([grid.columns, grid.widths], [['Image', 'Area', 'Compound', 'Donor'], { 'column-1': 50 }]);
    store.columns.resized('column-1', 90);
    grid.widths = { 'column-1': 90 };
    counts.shift()?.(7);
    await extending;
    deepEqual([grid.widths, grid.rows], [{ 'column-1': 90 }, [7]]);
  });
});
