import { t } from '../../pages/page/l10n';
import { h, render } from 'preact';
import type { LaterScript } from '../../pages/page/laterScript';
import type { PagePort } from '../../pages/page/pagePort';
import { fill } from '../../pages/page/widgets/element';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import { followColumns } from './extendTable';
import { followStore } from './followStore';
import type { LaterParts } from './laterParts';
import { LinkedRows } from './linkedRows';
import { loadFirstRows, makePageGrid } from './pageGrid';
import type { TableStore } from './state/tableStore';
import { tableKeys, TableMenu } from './tableMenu';
import { TableUndo } from './tableUndo';
import { TableView } from './tableView';
import type { TableViewState } from './tableViewState';
import { type UndoPart, withoutMaskRows } from './viewHistory';

interface TablePageDependencies {
  root: HTMLElement;
  nonce: string;
  store: TableStore;
  start: TableStart;
  port: PagePort<TableViewState>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  later: LaterScript<LaterParts>;
  /** The saved view. */
  view: TableViewState;
  /** Undoable state of other subjects. */
  undoable: readonly UndoPart[];
}

/** Shows the page of an open table as it was left. */
export async function showTablePage(dependencies: TablePageDependencies): Promise<void> {
  const { root, nonce, store, start, port, panel, later, view, undoable } = dependencies;
  const linked = new LinkedRows({ store, panel, port, view, start });
  const undo = new TableUndo({ store, port, view, added: undoable });
  followStore(store);
  fill(root);
  render(h(TableView, { store, nonce, later }), root);
  panel.on('extended', ({ table }) => followColumns({ store, port, view, undo }, table));
  try {
    await restore(dependencies, { linked, undo });
  } finally {
    store.output.begin();
  }
}

interface Restored {
  linked: LinkedRows;
  undo: TableUndo;
}

/** Restores filters, order and columns, then the grid, then its selection. */
async function restore(dependencies: TablePageDependencies, { linked, undo }: Restored): Promise<void> {
  const { root, nonce, store, start, port, panel, later, view } = dependencies;
  const { table, body, groups, columns } = store;
  const { rowCount, reading, columns: tableColumns } = table.table;
  if (tableColumns.length === 0 || (rowCount === 0 && !reading)) {
    body.showEmpty(tableColumns.length === 0 ? 'noColumns' : 'noRows');
    requestAnimationFrame(() => panel.send('shown', {}));
    groups.begin();
    return;
  }
  // If the table has finished reading since it was sent, constants must be requested. The first
  // rows don't wait for that.
  const hasConstants = start.constants !== undefined || !start.table.reading;
  await Promise.all([
    restoreView(store, view, start.kind === 'aggregate'),
    hasConstants ? columns.load() : undefined,
  ]);
  const first = await loadFirstRows(store, start.first);
  body.gridCreated();
  const holder = root.querySelector<HTMLElement>('.table-main') ?? root;
  const grid = makePageGrid({ store, nonce, panel, port, later, view, holder, first });
  const menu = new TableMenu({ store, grid, undo });
  panel.on('menuCommand', ({ command }) => menu.run(command));
  tableKeys(store);
  store.begin();
  groups.begin();
  // The last rows were read before the grid was created.
  if ((reading || !hasConstants) && !table.table.reading) void columns.load();
  if (view.firstPosition > 0 && view.firstPosition < table.rowCount)
    grid.showFirstRow({ position: view.firstPosition, above: view.rowAbove });
  if (view.firstColumn) grid.showFirstColumn(view.firstColumn);
  // Rows that were selected on the masks while the page was hidden count as the user's step.
  await undo.begin();
  await linked.gridShown();
  if (view.find) store.find.restore(view.find);
  if (table.rowCount === 0) panel.send('shown', {});
}

/**
 * Restores the table's order and filters. `isAggregate`: whether it may have rows of groups and
 * images.
 */
async function restoreView(
  { table, levels, messages }: TableStore,
  view: TableViewState,
  isAggregate: boolean,
): Promise<void> {
  table.setSort(view.sort);
  try {
    if (isAggregate) await levels.load();
    const filters = await table.restoreLassos(levels.initialFilters(view));
    await table.setFilters(filters).catch(async (error: unknown) => {
      // The rows selected on the masks may be gone.
      await table.setFilters(withoutMaskRows(filters));
      throw error;
    });
  } catch (error) {
    messages.failed(t.later("Couldn't apply the filter: {0}"), error);
  }
}
