import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { grownTable } from '../../../columns/tableSummary';
import type { TablePanelSide, TableStart } from '../../tablePage';
import type { TableGrid } from '../grid/tableGrid';
import type { TableModel } from '../tableModel';
import type { TableMessages } from './tableMessages';

/** Progress of reading the file. */
export class TableReading {
  /** The share that has been read, 0…1; undefined once all has been. */
  readonly share: ReadonlySignal<number | undefined>;
  private readonly done = signal(0);
  private readonly goesOn: Signal<boolean>;
  private readonly why: Signal<string | undefined>;

  constructor({ table, failed }: Pick<TableStart, 'table' | 'failed'>) {
    this.goesOn = signal(table.reading === true);
    this.why = signal(failed);
    this.share = computed(() => (this.goesOn.value ? this.done.value : undefined));
  }

  /** Why it was only partly read, as text. */
  get failure(): ReadonlySignal<string | undefined> {
    return this.why;
  }

  progressed({ bytesDone, bytesTotal, done, failed }: TablePanelSide['events']['growth']): void {
    this.done.value = bytesTotal > 0 ? bytesDone / bytesTotal : 0;
    this.goesOn.value = !done;
    if (failed !== undefined) this.why.value = failed;
  }
}

interface GrowthDependencies {
  table: TableModel;
  messages: Pick<TableMessages, 'failed'>;
  reading: Pick<TableReading, 'progressed'>;
  grid: () => TableGrid | undefined;
}

/**
 * Follows a table being read: more rows, other kinds of columns, and the end. `widths`: the user's
 * column widths.
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
  const shown = grid();
  if (!shown) return;
  if (table.columns.map(({ kind }) => kind).join() !== kindsBefore) shown.setColumns(table.columns, widths);
  shown.setLastRow(table.rowCount);
  const plain = !model.isFiltered && model.sort.length === 0;
  if (plain) shown.growTo(table.rowCount);
  else if (growth.done) shown.setRows(model.rowCount);
}
