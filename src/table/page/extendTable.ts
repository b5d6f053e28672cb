import type { TableColumn, TableSummary } from '../../columns/tableSummary';
import type { PagePort } from '../../pages/page/pagePort';
import { movedColumns, movedView, namesOfAdded, renamedColumns } from './movedColumns';
import type { TableStore } from './state/tableStore';
import type { TableUndo } from './tableUndo';
import type { TableViewState } from './tableViewState';

interface ExtendTableDependencies {
  store: TableStore;
  port: PagePort<TableViewState>;
  /** The view that the page began with. */
  view: TableViewState;
  undo: Pick<TableUndo, 'forget' | 'unnoticed' | 'columnsRenamed'>;
}

/**
 * Follows columns that are in no file: they were added, taken away, or have other values. All that
 * names columns follows in one task, and rows are counted afterwards: what a person changes
 * meanwhile is about the columns as they are now, and stays.
 */
export async function extendTable(parts: ExtendTableDependencies, table: TableSummary): Promise<void> {
  const { store, undo } = parts;
  const { table: model, rows } = store;
  let counting: Promise<void> = Promise.resolve();
  let shown = 0;
  const showRows = () => {
    shown = model.rowCount;
    store.grid?.setRows(shown);
    void rows.restore();
  };
  await undo.unnoticed(() => {
    counting = follow(parts, table);
    showRows();
    return Promise.resolve();
  });
  await counting;
  store.sendFiltered();
  if (model.rowCount !== shown) showRows();
}

/**
 * What the view says of columns goes with them; steps that can be undone name them by positions,
 * and go where these are others. Resolves once rows are counted.
 */
function follow({ store, port, view, undo }: ExtendTableDependencies, table: TableSummary): Promise<void> {
  const { table: model, columns, groups } = store;
  const before = namesOfAdded(model.table.columns);
  const now = namesOfAdded(table.columns);
  const placeOf = movedColumns(before, table.columns);
  const shown = { ...view, ...port.view };
  const renamed = renamedColumns(before, now);
  if (renamed.size > 0) for (const addition of store.additions) addition.columnsRenamed?.(renamed);
  undo.columnsRenamed(renamed);
  port.updateView({ imageColumns: now });
  if (!placeOf)
    return model.extend(table, model.latestFilters, model.sort, () => {
      store.grid?.setColumns(model.table.columns, shown.widths);
      columns.extended();
      const isNew = ({ converted, name }: TableColumn) => converted !== undefined && !before.includes(name);
      for (const { index, converted } of table.columns.filter(isNew))
        if (converted) columns.placeBeside(index, converted.of);
    });
  const moved = movedView(
    {
      sort: [...model.sort],
      filters: [...model.latestFilters],
      widths: shown.widths,
      layout: columns.layout.peek(),
      groups: groups.state.peek(),
    },
    placeOf,
  );
  // Computed columns come and go by steps of the same history: undone one by one, each finds
  // columns where they were.
  const own = (columns: readonly TableColumn[]) => namesOfAdded(columns.filter(({ computed }) => !computed));
  if (own(model.table.columns).join('\0') !== own(table.columns).join('\0')) undo.forget();
  return model.extend(table, moved.filters, moved.sort, () => {
    port.updateView({ sort: moved.sort, filters: moved.filters });
    store.grid?.setColumns(model.table.columns, moved.widths);
    columns.restore({ ...moved.layout, widths: moved.widths });
    store.grid?.setSort(moved.sort);
    groups.choose({ by: moved.groups.by, measures: moved.groups.measures });
    for (const addition of store.additions) addition.columnsMoved?.(placeOf);
  });
}
