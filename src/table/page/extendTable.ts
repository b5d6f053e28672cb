import type { TableColumn, TableSummary } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import type { PagePort } from '../../pages/page/pagePort';
import { addedColumns, movedColumns, movedView, renamedColumns } from './movedColumns';
import type { TableStore } from './state/tableStore';
import type { TableUndo } from './tableUndo';
import type { TableViewState } from './tableViewState';

interface ExtendTableDependencies {
  store: TableStore;
  port: PagePort<TableViewState>;
  /** The view at the start of the page. */
  view: TableViewState;
  undo: Pick<TableUndo, 'forget' | 'recordStep' | 'withoutUndo' | 'columnsRenamed'>;
}

/** The panel sent other columns: applies them after earlier changes. */
export function followColumns(dependencies: ExtendTableDependencies, table: TableSummary): void {
  const { store } = dependencies;
  store.extending = store.extending
    .then(() => extendTable(dependencies, table))
    .catch((error: unknown) => store.messages.failed(t.later("Couldn't apply the filter: {0}"), error));
}

/**
 * Follows columns outside the file that were added, removed or changed. All state about columns is
 * updated in one task, and rows are counted later: what the user does in between applies to the
 * current columns, and stays.
 */
export async function extendTable(dependencies: ExtendTableDependencies, table: TableSummary): Promise<void> {
  const { store, undo } = dependencies;
  const { table: model, rows } = store;
  let counting: Promise<void> = Promise.resolve();
  let shown = 0;
  const showRows = () => {
    shown = model.rowCount;
    store.grid?.setRows(shown);
    void rows.restore();
  };
  const change = () => {
    counting = updateColumns(dependencies, table, step);
    for (const addition of store.additions) addition.columnsExtended?.();
    showRows();
  };
  // A column that the user removes takes its filters along, as one step.
  const step = store.additions.map(addition => addition.changedHere?.(table.columns)).find(Boolean);
  if (step) undo.recordStep(change);
  else await undo.withoutUndo(() => Promise.resolve(change()));
  await counting;
  store.sendFiltered();
  if (model.rowCount !== shown) showRows();
}

/**
 * Updates the view's state about columns, and undo steps, which use column positions. `step`: the
 * names that the user has changed here. Resolves once rows are counted.
 */
function updateColumns(
  { store, port, view, undo }: ExtendTableDependencies,
  table: TableSummary,
  step: ReadonlyMap<string, string> | undefined,
): Promise<void> {
  const { table: model, columns, groups } = store;
  const oldColumns = addedColumns(model.table.columns);
  const newColumns = addedColumns(table.columns);
  const renamed = new Map([...renamedColumns(oldColumns, newColumns), ...(step ?? [])]);
  const placeOf = movedColumns(oldColumns, table.columns, renamed);
  const savedView = { ...view, ...port.view };
  if (renamed.size > 0) for (const addition of store.additions) addition.columnsRenamed?.(renamed);
  undo.columnsRenamed(renamed);
  port.updateView({ imageColumns: newColumns });
  if (!placeOf)
    return model.extend(table, model.latestFilters, model.sort, () => {
      store.grid?.setColumns(model.table.columns, savedView.widths);
      columns.extended();
      const isNew = ({ converted, name }: TableColumn) =>
        converted !== undefined && !oldColumns.includes(name);
      for (const { index, converted } of table.columns.filter(isNew))
        if (converted) columns.placeBeside(index, converted.of);
    });
  const moved = movedView(
    {
      sort: [...model.sort],
      filters: [...model.latestFilters],
      widths: savedView.widths,
      layout: columns.layout.peek(),
      groups: groups.state.peek(),
    },
    placeOf,
  );
  // Undo steps have column positions, which are outdated unless the move is a step itself.
  if (!step) undo.forget();
  return model.extend(table, moved.filters, moved.sort, () => {
    port.updateView({ sort: moved.sort, filters: moved.filters });
    store.grid?.setColumns(model.table.columns, moved.widths);
    columns.restore({ ...moved.layout, widths: moved.widths });
    store.grid?.setSort(moved.sort);
    groups.choose({ by: moved.groups.by, measures: moved.groups.measures });
    for (const addition of store.additions) addition.columnsMoved?.(placeOf);
  });
}
