import { CodedError } from '../../../base/errors';
import { restsOf } from '../../../base/roundedIntegers';
import type { Filter, RangeEnd } from '../../viewSpec';
import { Pacer, eachPart } from '../../../base/node/slices';
import { gatherNumbers, gatherRests } from '../read/gather';
import type { TableSource } from '../read/tableSource';

/** As many digits as doubles reach. */
const INTEGER = /^-?\d{1,308}$/;

/**
 * Rows whose number lies in a range, where the column or an end of the range has integers that doubles round: each is compared
 * with its rests. Throws `bad-request` for an end that is no integer, `cancelled`.
 */
export async function integerRangeMask(
  table: TableSource,
  { column, from, to }: Extract<Filter, { kind: 'range' }>,
  count: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const low = partsOf(from ?? -Infinity);
  const high = partsOf(to ?? Infinity);
  const subset = { rows: undefined, count };
  const numbers = await gatherNumbers(table, column, subset, signal);
  const rests = await gatherRests(table, column, subset, signal);
  const parts = Math.max(rests.length + 1, low.length, high.length);
  const columns = Array.from({ length: parts }, (_, at) => (at === 0 ? numbers : rests[at - 1]));
  /** Below 0 where a row's integer is less than an end, above 0 where it is greater. */
  const compare = (row: number, end: readonly number[]) => {
    for (let part = 0; part < parts; part++) {
      const value = columns[part]?.[row] ?? 0;
      const other = end[part] ?? 0;
      // NaN where the cell is missing, which is neither less nor greater.
      if (value !== other) return value - other;
    }
    return 0;
  };
  const mask = new Uint8Array(count);
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let row = start; row < end; row++)
      mask[row] = Number(compare(row, low) >= 0 && compare(row, high) <= 0);
  });
  return mask;
}

/** The double nearest to an end of a range, and its rests. */
function partsOf(end: RangeEnd): readonly number[] {
  if (typeof end === 'number') return [end];
  if (!INTEGER.test(end)) throw new CodedError('bad-request', `"${end}" is not an integer`);
  const integer = BigInt(end);
  const value = Number(integer);
  return [value, ...restsOf(integer, value)];
}
