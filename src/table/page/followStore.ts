import type { PlotDrawer } from '../../plots/page/plotDrawer';
import { selectionWords } from './controls/statusWords';
import type { CellMarks } from './grid/cellMarks';
import type { TableGrid } from './grid/tableGrid';
import type { TableStore } from './state/tableStore';

/** From now on the plots, which aren't a function of the store yet, and screen readers are as the store says. */
export function followStore(
  { link, cells, levels, table, text, messages }: TableStore,
  plots: Pick<PlotDrawer, 'setSelected'>,
): void {
  link.selected.subscribe(row => plots.setSelected(row));
  cells.statistics.subscribe(statistics => {
    if (!statistics || levels.areMixed) return;
    const { short } = selectionWords(statistics, table.table.columns, text);
    if (short.length > 0) messages.announce(short.join(', '));
  });
}

/** From now on the cells of the grid are marked as the store says. */
export function markCells({ cells, find }: TableStore, grid: TableGrid, marks: CellMarks): void {
  cells.size.subscribe(() => marks.setRange(cells.range, grid.shown));
  find.matcher.subscribe(matches =>
    marks.setMatches(matches && ((position, column) => matches(grid.rowAt(position)?.cells[column] ?? ''))),
  );
}
