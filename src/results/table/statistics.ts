import { MISSING_CODES } from '../../formats/csvCells';
import type { ColumnStatistics, Figures } from '../../formats/tableFigures';
import { Pacer } from '../slices';
import { gatherCodes, gatherNumbers, type RowChoice } from './gather';
import { sortedNumbers } from './sortedNumbers';
import type { NumberColumn, TableSource } from './tableSource';

/** Figures of ascending numbers without NaN. */
export function figuresOf(sorted: Float64Array): Figures {
  const count = sorted.length;
  const none = { sum: null, mean: null, sd: null, min: null, q1: null, median: null, q3: null, max: null };
  if (count === 0) return { count, ...none };
  const sum = exactSum(sorted);
  const mean = sum / count;
  let squares = 0;
  let rest = 0;
  for (let at = 0; at < count; at++) {
    const off = (sorted[at] as number) - mean;
    squares += off * off;
    rest += off;
  }
  const variance = count > 1 ? (squares - (rest * rest) / count) / (count - 1) : NaN;
  return {
    count,
    sum: finite(sum),
    mean: finite(mean),
    sd: finite(Math.sqrt(variance)),
    min: finite(sorted[0]),
    q1: finite(quantile(sorted, 0.25)),
    median: finite(quantile(sorted, 0.5)),
    q3: finite(quantile(sorted, 0.75)),
    max: finite(sorted[count - 1]),
  };
}

/** By linear interpolation between order statistics (numpy's default). */
export function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] ?? NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? NaN;
  // Between a number and infinity there is nothing to weigh: 0 · ∞ is no number.
  if (low === high || place === below) return low;
  return low + (high - low) * (place - below);
}

/** The sum with what rounding takes added back (Neumaier). */
export function exactSum(values: Float64Array): number {
  let sum = 0;
  let lost = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  const total = sum + lost;
  return total === total ? total : sum;
}

/** Null for what JSON cannot say. */
export function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Figures of a column over chosen rows. */
export async function columnFigures(
  table: TableSource,
  column: number,
  choice: RowChoice,
  signal?: AbortSignal,
): Promise<ColumnStatistics> {
  const missing: ColumnStatistics['missing'] = { empty: 0, NA: 0, NaN: 0, null: 0, other: 0, absent: 0 };
  if (table.columns[column]?.kind !== 'number') {
    const { codes, texts } = await gatherCodes(table, column, choice, signal);
    const seen = new Uint8Array(texts.size);
    let distinct = 0;
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] as number;
      if (code === 0) missing.absent++;
      else if (code === 1) missing.empty++;
      else if (seen[code] === 0) {
        seen[code] = 1;
        distinct++;
      }
    }
    const count = codes.length - missing.absent - missing.empty;
    return { column, ...figuresOf(new Float64Array(0)), count, missing, distinct };
  }
  const values = await gatherNumbers(table, column, choice, signal);
  countMissing(await table.numbers(column, signal), choice, missing);
  await new Pacer(signal).pause();
  const sorted = await sortedNumbers(values, signal);
  let distinct = 0;
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) distinct++;
  return { column, ...figuresOf(sorted), missing, distinct };
}

/** How cells are missing is in the low words of their NaNs; read where they were written, for a copied NaN may lose it. */
function countMissing(
  { values, firstRows }: NumberColumn,
  { rows, count }: RowChoice,
  missing: ColumnStatistics['missing'],
): void {
  const counts = new Uint32Array(8);
  let next = 0;
  values.forEach((part, at) => {
    const words = new Uint32Array(part.buffer, part.byteOffset, part.length * 2);
    const first = firstRows[at] ?? 0;
    const end = Math.min(first + part.length, rows ? Infinity : count);
    const look = (row: number) => {
      const value = part[row - first] as number;
      if (value !== value) counts[(words[2 * (row - first)] as number) & 7]!++;
    };
    if (!rows) for (let row = first; row < end; row++) look(row);
    else for (; next < count && (rows[next] as number) < end; next++) look(rows[next] as number);
  });
  for (const kind of ['empty', 'NA', 'NaN', 'null', 'other', 'absent'] as const)
    missing[kind] = counts[MISSING_CODES[kind]] ?? 0;
}
