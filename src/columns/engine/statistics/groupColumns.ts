import { Pacer } from '../../../base/node/slices';
import type { TableSource } from '../read/tableSource';

/** Different integers in a column that rows are likely to be grouped by. */
const MAX_DISTINCT = 50;

/**
 * Columns that rows are likely to be grouped by: text, and integers with few different values, each in two rows or more on
 * average. Measurements are ruled out after a few rows. Without `readNumbers`, for columns that aren't in memory, only text.
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

/** Whether there are numbers, all of them integers with at most `max` different values. */
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
