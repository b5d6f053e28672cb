import { Pacer } from '../../../base/node/slices';
import { sortDecimals } from './sortDecimals';

/** Numbers in ascending order, NaN left out. `values` is used for the work, to save a copy: it is void afterwards. */
export async function sortedNumbers(values: Float64Array, signal?: AbortSignal): Promise<Float64Array> {
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value === value) values[count++] = value;
  }
  const numbers = values.subarray(0, count);
  if (count <= 1 << 18) return numbers.sort();
  const pacer = new Pacer(signal);
  if (await sortDecimals(numbers, pacer)) return numbers;
  // Parts are sorted by the language, and merged in pauses.
  let width = 1 << 18;
  for (let start = 0; start < count; start += width) {
    await pacer.pause();
    numbers.subarray(start, Math.min(count, start + width)).sort();
  }
  let from: Float64Array = numbers;
  let to: Float64Array = new Float64Array(count);
  for (; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width)
      await merge(from, to, start, Math.min(start + width, count), Math.min(start + 2 * width, count), pacer);
    [from, to] = [to, from];
  }
  return from;
}

/** Where a number stands among ascending ones; −1 when it does not. */
export function placeInSorted(numbers: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const number = numbers[middle] as number;
    if (number === wanted) return middle;
    if (number < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

async function merge(
  from: Float64Array,
  to: Float64Array,
  start: number,
  middle: number,
  end: number,
  pacer: Pacer,
): Promise<void> {
  let left = start;
  let right = middle;
  for (let stop = start; stop < end;) {
    await pacer.pause();
    const first = stop;
    stop = Math.min(end, stop + (1 << 17));
    for (let at = first; at < stop; at++) {
      const takesLeft = left < middle && (right >= end || (from[left] as number) <= (from[right] as number));
      to[at] = (takesLeft ? from[left++] : from[right++]) as number;
    }
  }
}
