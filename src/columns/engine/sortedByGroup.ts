import { eachPart, Pacer } from '../../base/node/slices';
import { numberOrder } from './radixSort';
import { sortKeys, type Wholes, wholesOf } from './sortedNumbers';

/** Numbers in ascending order, −0 before 0, NaN left out. */
interface SortedByGroup {
  /** All together. */
  sorted: Float64Array;
  /** Those of each group, from its start to its end. */
  inGroups: Float64Array;
  ends: Uint32Array;
}

/** Which group each value belongs to, and where each group starts if all groups are laid one after another. */
interface Grouped {
  ids: Uint32Array;
  /** One more than there are groups; the last is the number of values. */
  starts: Uint32Array;
}

/**
 * Sorts numbers once for all of their groups: in ascending order each goes to the end of its group. `values` is used for the
 * work, to save a copy: it is void afterwards. Throws `cancelled`.
 */
export async function sortedByGroup(
  values: Float64Array,
  { ids, starts }: Grouped,
  signal?: AbortSignal,
): Promise<SortedByGroup> {
  const pacer = new Pacer(signal);
  const present = await withoutMissing(values, ids, pacer);
  const ends = starts.slice();
  const inGroups = new Float64Array(values.length);
  const groupBits = 32 - Math.clz32(Math.max(0, starts.length - 2));
  const wholes = await wholesOf(present.numbers, pacer);
  const isPacked = wholes && bitsOf(wholes) + groupBits <= 32;
  const sorted = isPacked
    ? await sortPacked(present, wholes, groupBits, { inGroups, ends }, pacer)
    : await sortByOrder(present, { inGroups, ends }, pacer, signal);
  return { sorted, inGroups, ends };
}

/** Numbers, none of them NaN, with the group of each. */
interface Present {
  numbers: Float64Array;
  ids: Uint32Array;
}

/** Moves the numbers in `values` to its beginning. */
async function withoutMissing(values: Float64Array, ids: Uint32Array, pacer: Pacer): Promise<Present> {
  let count = 0;
  let present = ids;
  await eachPart(values.length, pacer, (start, end) => {
    if (present === ids) {
      if (!isAnyMissing(values, start, end)) {
        count = end;
        return;
      }
      // The groups of all rows are needed for further columns.
      present = ids.slice();
    }
    count = moveNumbers({ numbers: values, ids: present }, start, end, count);
  });
  return { numbers: values.subarray(0, count), ids: present };
}

function isAnyMissing(values: Float64Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (Number.isNaN(values[at])) return true;
  return false;
}

/** Appends the numbers of a part to the first `count`. Returns how many there are then. */
function moveNumbers({ numbers, ids }: Present, start: number, end: number, count: number): number {
  for (let at = start; at < end; at++) {
    const value = numbers[at] as number;
    numbers[count] = value;
    ids[count] = ids[at] as number;
    count += Number(value === value);
  }
  return count;
}

function bitsOf({ first, last }: Wholes): number {
  return 32 - Math.clz32(last - first);
}

/**
 * Sorts numbers of few decimals as whole numbers, each with its group in the low bits of one word, so that neither is looked
 * up where it came from.
 */
async function sortPacked(
  { numbers, ids }: Present,
  wholes: Wholes,
  groupBits: number,
  { inGroups, ends }: Omit<SortedByGroup, 'sorted'>,
  pacer: Pacer,
): Promise<Float64Array> {
  const { factor, first } = wholes;
  const unsorted = new Uint32Array(numbers.length);
  await eachPart(numbers.length, pacer, (start, end) => {
    for (let at = start; at < end; at++)
      unsorted[at] =
        ((Math.round((numbers[at] as number) * factor) - first) << groupBits) | (ids[at] as number);
  });
  const words = await sortKeys(unsorted, groupBits, bitsOf(wholes), pacer);
  const groupMask = 2 ** groupBits - 1;
  await eachPart(numbers.length, pacer, (start, end) => {
    for (let at = start; at < end; at++) {
      const word = words[at] as number;
      const value = ((word >>> groupBits) + first) / factor;
      const group = word & groupMask;
      const place = ends[group] as number;
      ends[group] = place + 1;
      inGroups[place] = value;
      numbers[at] = value;
    }
  });
  return numbers;
}

async function sortByOrder(
  { numbers, ids }: Present,
  { inGroups, ends }: Omit<SortedByGroup, 'sorted'>,
  pacer: Pacer,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const order = await numberOrder(numbers, false, signal);
  putNegativeZerosFirst(order, numbers);
  const sorted = new Float64Array(numbers.length);
  await eachPart(numbers.length, pacer, (start, end) => {
    for (let at = start; at < end; at++) {
      const position = order[at] as number;
      const value = numbers[position] as number;
      const group = ids[position] as number;
      const place = ends[group] as number;
      ends[group] = place + 1;
      inGroups[place] = value;
      sorted[at] = value;
    }
  });
  return sorted;
}

/** An order of numbers takes −0 for 0; where numbers are sorted, it is the lesser. */
function putNegativeZerosFirst(order: Uint32Array, numbers: Float64Array): void {
  let [from, end] = [0, order.length];
  while (from < end) {
    const middle = (from + end) >> 1;
    if ((numbers[order[middle] as number] as number) < 0) from = middle + 1;
    else end = middle;
  }
  while (end < order.length && numbers[order[end] as number] === 0) end++;
  const zeros = order.slice(from, end);
  const isNegative = (position: number) => Object.is(numbers[position], -0);
  order.set(zeros.filter(isNegative), from);
  const others = zeros.filter(position => !isNegative(position));
  order.set(others, end - others.length);
}
