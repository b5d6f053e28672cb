import { gatherNumbers, type RowChoice } from './gather';
import { extent, histogram, type Histogram } from './histogram';
import type { TableSource } from './tableSource';

/** A histogram whose range and `all` are those of some rows of a table, not of all it has. */
export async function histogramAmong(
  table: TableSource,
  column: number,
  bins: number,
  among: RowChoice,
  choice: RowChoice,
  signal?: AbortSignal,
): Promise<Histogram> {
  const [min, max] = extent(await gatherNumbers(table, column, among, signal), Infinity, -Infinity);
  const range = [min, max] as const;
  const { filtered: all } = await histogram(table, column, bins, range, among, signal);
  return { ...(await histogram(table, column, bins, range, choice, signal)), all };
}
