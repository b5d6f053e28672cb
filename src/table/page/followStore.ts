import { selectionWords } from './controls/statusWords';
import { CellMarks, RowHover } from './grid/cellMarks';
import type { HeaderSummaries } from './grid/headerCell';
import type { TableGrid } from './grid/tableGrid';
import type { TableStore } from './state/tableStore';

/** From now on screen readers say what is selected. */
export function followStore({ cells, levels, table, messages }: TableStore): void {
  cells.statistics.subscribe(statistics => {
    if (!statistics || levels.areMixed) return;
    const { short } = selectionWords(statistics, table.table.columns);
    if (short.length > 0) messages.announce(short.join(', '));
  });
}

/**
 * From now on the grid is as the store says. `settled`: resolves once the rows of a view have
 * arrived, or failed to.
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
      // All rows of a table that was already shown have been read.
      if (!table.table.reading) summaries.refresh(Promise.resolve());
      return;
    }
    grid.setRows(table.rowCount);
    if (change === 'filters') summaries.refresh(table.rowCount === 0 ? Promise.resolve() : settled.next());
    void (change === 'sort' ? rows.reordered() : rows.restore());
  });
}

/**
 * Tells when the first rows of a view have arrived or failed to, or when the view changes again.
 */
export class NextRows {
  private resolve: () => void = () => undefined;

  /** Rows have arrived, or failed to. */
  readonly came = (): void => this.resolve();

  next(): Promise<void> {
    this.came();
    return new Promise(resolve => (this.resolve = resolve));
  }
}
