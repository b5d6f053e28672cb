import { Pacer } from '../../slices';
import type { TableSource } from '../read/tableSource';

/** Different integers of a column that rows are likely to be grouped by. */
const MAX_DISTINCT = 50;

/**
 * Columns that rows are likely to be grouped by: those of text, and those of integers of which few differ, each in several rows on
 * average. A measured column is left after a few rows. Of columns that are not in memory, `readNumbers` false, only those of text.
 */
export async function groupColumns(
  table: TableSource,
  readNumbers: boolean,
  signal?: AbortSignal,
): Promise<number[]> {
  const pacer = new Pacer(signal);
  const found: number[] = [];
  for (const { index, kind, isRounded } of table.columns) {
    if (pacer.isDue) await pacer.pause();
    if (kind === 'text') found.push(index);
    else if (readNumbers && !isRounded) {
      const { values } = await table.numbers(index, signal);
      if (await haveFewIntegers(values, Math.min(MAX_DISTINCT, table.rowCount / 2), pacer)) found.push(index);
    }
  }
  return found;
}

/** Whether all numbers are integers, at most `max` different ones, and there is one. */
async function haveFewIntegers(parts: readonly Float64Array[], max: number, pacer: Pacer): Promise<boolean> {
  const distinct = new Set<number>();
  for (const part of parts) {
    if (pacer.isDue) await pacer.pause();
    for (let at = 0; at < part.length; at++) {
      const value = part[at] as number;
      if (value !== value) continue;
      if (!Number.isInteger(value)) return false;
      if (distinct.add(value).size > max) return false;
    }
  }
  return distinct.size > 0;
}
