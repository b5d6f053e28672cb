import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { grownTable } from '../../../columns/tableSummary';
import type { TablePanelSide, TableStart } from '../../tablePage';
import type { TableGrid } from '../grid/tableGrid';
import type { TableModel } from '../tableModel';
import type { TableMessages } from './tableMessages';

/** Progress of reading the file. */
export class TableReading {
  /** The share that has been read, 0…1; undefined once all has been read. */
  readonly share: ReadonlySignal<number | undefined>;
  private readonly done = signal(0);
  private readonly isReading: Signal<boolean>;
  private readonly failureReason: Signal<string | undefined>;

  constructor({ table, failed }: Pick<TableStart, 'table' | 'failed'>) {
    this.isReading = signal(table.reading === true);
    this.failureReason = signal(failed);
    this.share = computed(() => (this.isReading.value ? this.done.value : undefined));
  }

  /** Why only a part was read, as text. */
  get failure(): ReadonlySignal<string | undefined> {
    return this.failureReason;
  }

  progressed({ bytesDone, bytesTotal, done, failed }: TablePanelSide['events']['growth']): void {
    this.done.value = bytesTotal > 0 ? bytesDone / bytesTotal : 0;
    this.isReading.value = !done;
    if (failed !== undefined) this.failureReason.value = failed;
  }
}

interface GrowthDependencies {
  table: TableModel;
  messages: Pick<TableMessages, 'failed'>;
  reading: Pick<TableReading, 'progressed'>;
  grid: () => TableGrid | undefined;
}

/**
 * Follows a table that is being read: more rows, changed kinds of columns, and the end. `widths`:
 * column widths that the user set.
 */
export async function growTable(
  { table: model, messages, reading, grid }: GrowthDependencies,
  growth: TablePanelSide['events']['growth'],
  widths: Record<string, number>,
): Promise<void> {
  const table = grownTable(model.table, growth);
  const kindsBefore = model.table.columns.map(({ kind }) => kind).join();
  await model
    .grow(table)
    .catch((error: unknown) => messages.failed(t.later("Couldn't apply the filter: {0}"), error));
  reading.progressed(growth);
  const tableGrid = grid();
  if (!tableGrid) return;
  if (table.columns.map(({ kind }) => kind).join() !== kindsBefore)
    tableGrid.setColumns(table.columns, widths);
  tableGrid.setLastRow(table.rowCount);
  const isPlain = !model.isFiltered && model.sort.length === 0;
  if (isPlain) tableGrid.growTo(table.rowCount);
  else if (growth.done) tableGrid.setRows(model.rowCount);
}
