import type { SelectionFigures } from '../../formats/tableFigures';
import { Pacer } from '../slices';
import { gatherNumbers } from './gather';
import { exactSum, finite } from './statistics';
import type { TableSource } from './tableSource';
import type { ViewRows } from './tableView';

/** Of the cells of view rows [start, end) × columns: how many, how many numbers, and those in figures. */
export async function selectionFigures(
  table: TableSource,
  view: ViewRows,
  start: number,
  end: number,
  columns: readonly number[],
  signal?: AbortSignal,
): Promise<SelectionFigures> {
  const first = Math.max(0, Math.min(start, view.choice.count));
  const last = Math.max(first, Math.min(end, view.choice.count));
  const rows = view.order
    ? view.order.slice(first, last).sort()
    : Uint32Array.from({ length: last - first }, (_, at) => first + at);
  let numbers = 0;
  let min = Infinity;
  let max = -Infinity;
  const sums: number[] = [];
  const pacer = new Pacer(signal);
  for (const column of columns) {
    await pacer.pause();
    const found = await gatherNumbers(table, column, { rows, count: rows.length }, signal);
    let count = 0;
    for (let at = 0; at < found.length; at++) {
      const value = found[at] as number;
      if (value !== value) continue;
      found[count++] = value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    numbers += count;
    sums.push(exactSum(found.subarray(0, count)));
  }
  const sum = exactSum(Float64Array.from(sums));
  const cells = rows.length * columns.length;
  if (numbers === 0) return { cells, numbers, sum: null, mean: null, min: null, max: null };
  return {
    cells,
    numbers,
    sum: finite(sum),
    mean: finite(sum / numbers),
    min: finite(min),
    max: finite(max),
  };
}
