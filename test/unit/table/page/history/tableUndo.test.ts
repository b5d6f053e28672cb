import { deepEqual } from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/event';
import type { TableSummary } from '../../../../../src/columns/tableSummary';
import type { PageFilter } from '../../../../../src/table/page/filterList';
import { TableUndo } from '../../../../../src/table/page/tableUndo';
import { TableModel } from '../../../../../src/table/page/tableModel';
import { fittingView, type TableViewState } from '../../../../../src/table/page/tableViewState';

const table: TableSummary = {
  columns: [
    { index: 0, name: 'Image', kind: 'text' },
    { index: 1, name: 'Area', kind: 'number' },
  ],
  rowCount: 100,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
};
const imageRows: PageFilter = { filter: { kind: 'missing', column: 0, missing: false } };
const range: PageFilter = { filter: { kind: 'range', column: 1, from: 5, to: null } };

/** A document that has what this needs of one: the first plot has the focus. */
const page = {
  addEventListener: () => undefined,
  querySelectorAll: () => [],
  body: 'body',
  activeElement: 'plot',
};

/**
 * The history of a page whose table was opened with filters, and what it has said, and how filters
 * with a name were restored.
 */
async function openedUndo(
  filters: PageFilter[],
  lasso: () => Promise<void> = () => Promise.resolve(),
  opened = table,
) {
  const panel = {
    request: async (method: string) => {
      if (method === 'tableLasso') await lasso();
      return { rowCount: 7, set: 3 };
    },
  };
  const model = new TableModel(panel as never, opened);
  await model.setFilters(filters);
  const view = fittingView({}, opened);
  const updated = new Emitter<void>();
  const port = {
    view: view as Partial<TableViewState>,
    onDidUpdateView: updated.event,
    updateView: (changes: Partial<TableViewState>) => {
      port.view = { ...port.view, ...changes };
      updated.fire();
    },
  };
  model.onDidChange(() => port.updateView({ sort: [...model.sort], filters: [...model.filters] }));
  const said: string[] = [];
  const restored: unknown[] = [];
  const store = {
    table: model,
    columns: { restore: () => undefined, extended: () => undefined },
    messages: { say: (words: string) => said.push(words), failed: () => undefined },
    rows: { enterGrid: () => said.push('focus in the grid'), restore: () => Promise.resolve() },
    compare: { columnsRenamed: () => undefined },
    sendFiltered: () => undefined,
    restoreGroups: () => (page.activeElement = page.body),
    additions: [],
  } as never;
  const undo = new TableUndo({ store, port: port as never, view });
  await undo.begin();
  return { model, port, view, undo, said, store, restored };
}

/** What is due has run. */
const allDue = () => new Promise<void>(done => setImmediate(done));

describe('Undo of a table', () => {
  before(() => Object.assign(globalThis, { document: page }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));

  it('leaves the filters that the page began with, such as that for rows of images', async () => {
    const { model, port, undo, said } = await openedUndo([imageRows]);
    port.updateView({ firstPosition: 9 });
    await model.setFilters([imageRows, range]);
    await allDue();
    undo.move('undo');
    await allDue();
    deepEqual([model.filters, undo.can('undo')], [[imageRows], false]);
    model.setSort([{ column: 1, descending: false }]);
    await allDue();
    deepEqual(
      port.view.history?.past.map(({ after }) => Object.keys(after)),
      [['sort']],
    );
    deepEqual(said, ['Undid: Filter Area']);
  });

  it('gives the focus to the grid where what had it is gone', async () => {
    const { port, view, undo, said } = await openedUndo([]);
    port.updateView({ groups: { ...view.groups, by: [0] } });
    await allDue();
    port.updateView({ groups: { ...view.groups, by: [1] } });
    await allDue();
    undo.move('undo');
    await allDue();
    deepEqual(said, ['Undid: Change Groups', 'focus in the grid']);
    undo.move('redo');
    await allDue();
    deepEqual(said.slice(2), ['Redid: Change Groups']);
  });

  it('leaves filters that the user changes while a lasso is drawn again', async () => {
    let draw: () => void = () => undefined;
    const { model, undo } = await openedUndo([], () => new Promise(done => (draw = done)));
    const lassoed: PageFilter = {
      filter: { kind: 'rowSet', set: 2 },
      lasso: { x: 1, y: 1, path: [[0, 0]] } as never,
    };
    await model.setFilters([lassoed]);
    await allDue();
    await model.setFilters([]);
    await allDue();
    undo.move('undo');
    await allDue();
    await model.setFilters([range]);
    draw();
    await allDue();
    deepEqual(
      model.filters.map(({ filter }) => filter.kind),
      ['range', 'rowSet'],
    );
  });
});
