import { grownTable } from '../../columns/grownTable';
import type { TablePanelSide } from '../tablePage';
import type { TableText } from '../../pages/page/pageText';
import type { LiveRegion } from '../../pages/page/widgets/liveRegion';
import type { TableGrid } from './grid/tableGrid';
import type { TableModel } from './tableModel';
import type { StatusLine } from './toolbar/statusLine';

type Growth = TablePanelSide['events']['growth'];

export interface GrowingTableParts {
  model: TableModel;
  text: TableText;
  status: StatusLine;
  live: LiveRegion;
  grid: () => TableGrid | undefined;
  /** Widths of columns as the user set them. */
  widths: () => Record<string, number>;
  /** All rows are read, and the grid shows them. */
  onDone: () => void;
  onFailure: (error: unknown) => void;
}

/** Follows a table that is still being read: more rows, columns of another kind, and the end. */
export class GrowingTable {
  private readShare = 0;

  constructor(private readonly parts: GrowingTableParts) {}

  /** Of the file, as far as it has been read, 0…1. */
  get share(): number {
    return this.readShare;
  }

  async apply(growth: Growth): Promise<void> {
    const { model, text, status, live, grid, onDone, onFailure } = this.parts;
    const table = grownTable(model.table, growth);
    const kindsBefore = model.table.columns.map(({ kind }) => kind).join();
    await model.grow(table).catch(onFailure);
    const share = growth.bytesTotal > 0 ? growth.bytesDone / growth.bytesTotal : 0;
    this.readShare = share;
    status.setReading(growth.done ? undefined : share);
    status.setTable(table, model.rowCount);
    if (growth.failed !== undefined) live.say(status.setIncomplete(growth.failed));
    const shown = grid();
    if (!shown) return;
    if (table.columns.map(({ kind }) => kind).join() !== kindsBefore)
      shown.setColumns(table.columns, this.parts.widths());
    shown.setLastRow(table.rowCount);
    const plain = !model.isFiltered && model.sort.length === 0;
    if (plain) shown.growTo(table.rowCount);
    else if (growth.done) shown.setRows(model.rowCount);
    if (!growth.done) return;
    onDone();
    if (share > 0) live.say(text.count('rows', table.rowCount));
  }
}
