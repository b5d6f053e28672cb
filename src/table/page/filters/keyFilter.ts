import type { TableColumn } from '../../../columns/tableSummary';
import type { Filter } from '../../../columns/viewSpec';
import { typedRangeEnd } from './rangeEnd';

/** An integer as a cell may have it: with zeros after the decimal mark, or with the mark alone. */
const WHOLE = /^\s*([+-]?\d+)(?:[.,]0*)?\s*$/;

/**
 * The filter for the rows of a group of a column; the key is null for rows without a value. Undefined for a key that isn't a
 * number in a column of numbers.
 */
export function keyFilter(
  { index, kind }: Pick<TableColumn, 'index' | 'kind'>,
  key: string | null,
  decimalComma: boolean,
): Filter | undefined {
  if (key === null) return { kind: 'values', column: index, values: [], missing: true };
  if (kind === 'text') return { kind: 'values', column: index, values: [key] };
  // Numbers are grouped by value, and cells with 12 and 12.0 are only both in a range.
  const end = typedRangeEnd(WHOLE.exec(key)?.[1] ?? key, decimalComma);
  return end === undefined || end === null ? undefined : { kind: 'range', column: index, from: end, to: end };
}
