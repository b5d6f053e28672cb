import { deepEqual, equal } from 'node:assert/strict';
import { withChanges } from '../../../../src/base/namedList';
import type { ComputedColumn } from '../../../../src/columns/computedColumn';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import { formulasInTable, formulasOfTable } from '../../../../src/formulas/page/formulasInTable';
import { computedOf } from '../../../../src/formulas/page/formulasModel';
import { plotsInTable, plotsOfTable } from '../../../../src/plots/page/plotsInTable';
import { type Answers, OpenedTable, until, useNoScreen } from '../../table/page/openedTable';
import { NOTHING_ADDED } from '../../table/page/tableStart';

const added = { ...NOTHING_ADDED, contributions: [plotsInTable, formulasInTable] };
/** As the panel does that stores them. */
const answers = (page: OpenedTable): Answers => ({
  setFormulas: async (params: Record<'before' | 'computed', ComputedColumn[]>) => {
    const theirs = computedOf(page.store.table.table.columns);
    const computed = withChanges(theirs, params.before, params.computed);
    page.extend((await page.ask('computeColumns', { computed })) as TableSummary);
    return {};
  },
});
const HALF = { name: 'Half', formula: '[Area] / 2' };
const THIRD = { name: 'Third', formula: '[Area] / 3' };

describe('Steps of computed columns that are undone', () => {
  useNoScreen();
  let page: OpenedTable;
  beforeEach(async () => (page = await OpenedTable.open({ rowCount: 100, added, answers })));
  afterEach(() => page.close());

  const formulas = () => page.store.added.get(formulasOfTable);
  const add = async (...columns: ComputedColumn[]) => {
    await formulas().set([...formulas().computed, ...columns]);
    await page.settled();
  };
  const at = (name: string) => page.store.table.table.columns.findIndex(each => each.name === name);

  /** All that is about columns, by their names. */
  const seen = () => {
    const { table, columns, added: parts } = page.store;
    const name = (column: number) => table.table.columns[column]?.name ?? '';
    const { order, hidden, pinned } = columns.layout.peek();
    return {
      columns: formulas().computed.map(each => each.name),
      filters: table.filters.map(({ filter }) => 'column' in filter && [name(filter.column), filter]),
      rows: table.rowCount,
      sort: table.sort.map(key => [name(key.column), key.descending]),
      order: order.map(name),
      hidden: hidden.map(name),
      pinned: pinned.map(name),
      widths: Object.entries(page.port.view.widths ?? {}).map(([id, width]) => [
        name(Number(id.replace('column-', ''))),
        width,
      ]),
      plots: parts
        .get(plotsOfTable)
        .plots.peek()
        .map(({ spec }) => [spec.kind, name(spec.x ?? -1)]),
      groups: page.store.groups.state.peek().by.map(name),
    };
  };

  async function use(column: number): Promise<void> {
    const { store } = page;
    const { rowCount } = store.table;
    await store.table.setFilters([{ filter: { kind: 'range', column, from: null, to: 40 } }]);
    await until(() => store.table.rowCount < rowCount);
    store.table.setSort([{ column, descending: true }]);
    store.columns.move(column, -3);
    store.columns.togglePin(column);
    store.columns.resized(`column-${column}`, 222);
    const plots = store.added.get(plotsOfTable);
    plots.add('scatter');
    for (const plot of plots.plots.peek()) plot.change({ ...plot.spec, x: column });
    await page.settled();
  }

  it('bring back what was about a column that was removed, at once, and take it away again', async () => {
    await add(HALF, THIRD);
    await use(at('Half'));
    const before = seen();
    deepEqual([before.columns, before.pinned.includes('Half')], [['Half', 'Third'], true]);
    await formulas().remove('Half');
    await page.settled();
    const after = seen();
    deepEqual([after.columns, after.filters, after.sort, after.rows], [['Third'], [], [], 100]);
    equal(JSON.stringify(after).includes('Half'), false);
    equal(await page.move('undo'), 'Undid: Remove Computed Column');
    deepEqual(seen(), before);
    equal(await page.move('redo'), 'Redid: Remove Computed Column');
    deepEqual(seen(), after);
    equal(await page.move('undo'), 'Undid: Remove Computed Column');
    deepEqual(seen(), before);
  });

  it('leave what another window has added', async () => {
    await add(HALF);
    page.extend((await page.ask('computeColumns', { computed: [HALF, THIRD] })) as TableSummary);
    await page.settled();
    equal(await page.move('undo'), 'Undid: Add Computed Column');
    deepEqual(seen().columns, ['Third']);
    equal(await page.move('redo'), 'Redid: Add Computed Column');
    deepEqual(seen().columns, ['Half', 'Third']);
    equal(await page.move('redo'), 'Nothing to redo');
  });

  it('say why they can not be undone, and leave the table as it is', async () => {
    await add(HALF);
    page.engine.failRequests('The disk is full', 'computeColumns');
    await page.move('undo');
    deepEqual([page.said.at(-1), seen().columns], ["Couldn't undo: The disk is full", ['Half']]);
  });
});
