import { exactSum, finiteOrNull } from '../../columnStatistics';
import type { SelectionStatistics } from '../../tableStatistics';
import { Pacer } from '../../../base/node/slices';
import { gatherNumbers } from '../read/gather';
import type { TableSource } from '../read/tableSource';
import type { ViewRows } from '../tableView';

/** The cells of view rows [start, end) × columns. */
export interface SelectedCells {
  start: number;
  end: number;
  columns: readonly number[];
}

/** Statistics of the selected cells of each column that has numbers among them. Throws `cancelled`. */
export async function selectionStatistics(
  table: TableSource,
  view: ViewRows,
  { start, end, columns }: SelectedCells,
  signal?: AbortSignal,
): Promise<SelectionStatistics[]> {
  const first = Math.max(0, Math.min(start, view.subset.count));
  const last = Math.max(first, Math.min(end, view.subset.count));
  const rows = view.order
    ? view.order.slice(first, last).sort()
    : Uint32Array.from({ length: last - first }, (_, at) => first + at);
  const statistics: SelectionStatistics[] = [];
  const pacer = new Pacer(signal);
  for (const column of columns) {
    await pacer.pause();
    const found = await gatherNumbers(table, column, { rows, count: rows.length }, signal);
    let numbers = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let at = 0; at < found.length; at++) {
      const value = found[at] as number;
      if (value !== value) continue;
      found[numbers++] = value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    if (numbers === 0) continue;
    const sum = exactSum(found.subarray(0, numbers));
    statistics.push({
      column,
      numbers,
      sum: finiteOrNull(sum),
      mean: finiteOrNull(sum / numbers),
      min: finiteOrNull(min),
      max: finiteOrNull(max),
    });
  }
  return statistics;
}
