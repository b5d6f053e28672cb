import { grownTable } from '../../columns/tableSummary';
import type { PagePort } from '../../pages/page/pagePort';
import type { TablePanelSide } from '../tablePage';
import type { HeaderSummaries } from './grid/headerCell';
import type { LinkedRows } from './linkedRows';
import type { TableStore } from './state/tableStore';
import type { ModelChange } from './tableModel';
import type { TableViewState } from './tableViewState';
import { withoutMaskRows } from './viewHistory';

interface ShownViewParts {
  store: TableStore;
  port: PagePort<TableViewState>;
  summaries: HeaderSummaries;
  linked: LinkedRows;
}

/** Shows which filters and which order the table has: in the page, in the other panels, and in the saved state. */
export class ShownView {
  /** Called when rows of the view have arrived, or failed to. */
  private onRows: () => void = () => undefined;

  constructor(private readonly parts: ShownViewParts) {}

  /** Follows each change from now on. */
  listen(): void {
    const { store, port } = this.parts;
    const { table: model } = store;
    model.onDidChange(change => {
      if (change !== 'table') this.changed(change);
    });
    model.onDidChangeList(() => port.updateView({ filters: [...model.filters] }));
  }

  /** Rows of the view have arrived, or failed to. */
  rowsSettled(): void {
    this.onRows();
  }

  private changed(change: Exclude<ModelChange, 'table'>): void {
    const { store, port, summaries, linked } = this.parts;
    const { table: model, text, levels, messages, rows } = store;
    // First, so that the masks repaint while rows are fetched.
    linked.sendFiltered();
    const filters = [...model.filters];
    port.updateView({ sort: [...model.sort], filters, areLevelsMixed: levels.areMixed });
    store.grid?.setRows(model.rowCount);
    if (change === 'filters') {
      summaries.refresh(this.nextRows());
      messages.announce(text.get('rowsOf', model.rowCount, model.table.rowCount));
    }
    void rows.restore();
  }

  /** Resolves when the first rows of the view have arrived or failed to, or when the view changes again. */
  private nextRows(): Promise<void> {
    this.onRows();
    const { grid, table } = this.parts.store;
    if (!grid || table.rowCount === 0) return Promise.resolve();
    return new Promise(resolve => (this.onRows = resolve));
  }
}

/** Gives the table the order and the filters that it was left with. `isAggregate`: it may hold rows of groups and of images. */
export async function restoreView(
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
    messages.failed('filterFailed', error);
  }
}

/**
 * Follows a table that is still being read: more rows, columns of another kind, and the end. `widths` are those of columns as the
 * user set them. Tells whether a grid shows all rows now.
 */
export async function growTable(
  store: Pick<TableStore, 'table' | 'text' | 'messages' | 'reading' | 'grid'>,
  growth: TablePanelSide['events']['growth'],
  widths: Record<string, number>,
): Promise<boolean> {
  const { table: model, text, messages, reading } = store;
  const table = grownTable(model.table, growth);
  const kindsBefore = model.table.columns.map(({ kind }) => kind).join();
  await model.grow(table).catch((error: unknown) => messages.failed('filterFailed', error));
  reading.progressed(growth);
  if (growth.failed !== undefined) messages.announce(text.get('incomplete', growth.failed));
  const { grid } = store;
  if (!grid) return false;
  if (table.columns.map(({ kind }) => kind).join() !== kindsBefore) grid.setColumns(table.columns, widths);
  grid.setLastRow(table.rowCount);
  const plain = !model.isFiltered && model.sort.length === 0;
  if (plain) grid.growTo(table.rowCount);
  else if (growth.done) grid.setRows(model.rowCount);
  if (growth.done && growth.bytesDone > 0) messages.announce(text.count('rows', table.rowCount));
  return growth.done;
}
