import { selectionWords } from './controls/statusWords';
import { CellMarks, RowHover } from './grid/cellMarks';
import type { HeaderSummaries } from './grid/headerCell';
import type { TableGrid } from './grid/tableGrid';
import type { TableStore } from './state/tableStore';

/** Announces statistics of the selection to screen readers. */
export function followStore({ cells, levels, table, messages }: TableStore): void {
  cells.statistics.subscribe(statistics => {
    if (!statistics || levels.areMixed) return;
    const { short } = selectionWords(statistics, table.table.columns);
    if (short.length > 0) messages.announce(short.join(', '));
  });
}

/**
 * Makes the grid follow the store. `settled` resolves once rows of a view have arrived or failed.
 */
export function followInGrid(
  { table, rows, cells, find, link }: TableStore,
  grid: TableGrid,
  { summaries, settled }: { summaries: HeaderSummaries; settled: NextRows },
): void {
  const marks = new CellMarks(grid.root);
  cells.size.subscribe(() => marks.setRange(cells.range, grid.shown));
  find.matcher.subscribe(matches =>
    marks.setMatches(matches && ((position, column) => matches(grid.rowAt(position)?.cells[column] ?? ''))),
  );
  link.hovered.subscribe(({ row, by }) => by !== 'grid' && marks.setHovered(row));
  new RowHover({ grid, marks, onHover: row => link.hover(row, 'grid') });
  table.onDidChange(change => {
    if (change === 'table') {
      // The table was shown while being read; now all of its rows are read.
      if (!table.table.reading) summaries.refresh(Promise.resolve());
      return;
    }
    grid.setRows(table.rowCount);
    if (change === 'filters') summaries.refresh(table.rowCount === 0 ? Promise.resolve() : settled.next());
    void (change === 'sort' ? rows.reordered() : rows.restore());
  });
}

/** Resolves when the first rows of a view arrive or fail, or when the view changes again. */
export class NextRows {
  private resolve: () => void = () => undefined;

  /** Rows have arrived, or failed to. */
  readonly arrived = (): void => this.resolve();

  next(): Promise<void> {
    this.arrived();
    return new Promise(resolve => (this.resolve = resolve));
  }
}
