import { freeMemory } from '../../base/node/freeMemory';
import { Pacer } from '../../base/node/slices';
import { quantileOfNumbers, sharesOf, someStatistics } from '../../columns/columnStatistics';
import { readNumbersOf } from '../../columns/engine/statistics/numbersByGroup';
import type { PercentileGate, StatisticGate } from '../gate';
import { countRows, eachPartOf, lowestBit, type RowBits } from './rowBits';

/** The factor that makes the median absolute deviation of a normal distribution its SD. */
const MAD_TO_SD = 1.4826;

type ThresholdGate = PercentileGate<number> | StatisticGate<number>;

/** A threshold computed from the numbers of some rows; NaN for too few. Throws `cancelled`. */
export async function thresholdOf(
  gate: ThresholdGate,
  values: Float64Array,
  rows: RowBits,
  signal?: AbortSignal,
): Promise<number> {
  return withNumbersOf(values, rows, signal, (numbers, pacer) => thresholdOfNumbers(gate, numbers, pacer));
}

/** The mean of the finite numbers of some rows; null without any. Throws `cancelled`. */
export async function meanOf(
  values: Float64Array,
  rows: RowBits,
  signal?: AbortSignal,
): Promise<number | null> {
  return withNumbersOf(values, rows, signal, async (numbers, pacer) => {
    const read = await readNumbersOf(numbers, [], pacer);
    return someStatistics(['mean'], { present: numbers.length, missing: 0 }, read)[0] ?? null;
  });
}

/** Computes a result from the numbers of some rows, and then frees their memory. */
async function withNumbersOf<T>(
  values: Float64Array,
  rows: RowBits,
  signal: AbortSignal | undefined,
  compute: (numbers: Float64Array, pacer: Pacer) => Promise<T>,
): Promise<T> {
  const pacer = new Pacer(signal);
  const numbers = new Float64Array(countRows(rows));
  let count = 0;
  await eachPartOf(rows, pacer, (start, end) => {
    count = gatherNumbers(values, rows, numbers, count, start, end);
  });
  try {
    return await compute(numbers.subarray(0, count), pacer);
  } finally {
    freeMemory(numbers.buffer);
  }
}

/** Writes the numbers of rows after the first `count` numbers. Returns the new count. */
function gatherNumbers(
  values: Float64Array,
  rows: RowBits,
  numbers: Float64Array,
  count: number,
  start: number,
  end: number,
): number {
  let next = count;
  for (let word = start; word < end; word++)
    for (let left = (rows[word] as number) | 0; left !== 0; left &= left - 1) {
      const value = values[word * 32 + lowestBit(left)] as number;
      if (value === value) numbers[next++] = value;
    }
  return next;
}

/** The number of each row's image. `isImage`: by number, 0 if its rows name no image, else 1. */
export interface RowImages {
  ids: Uint32Array;
  isImage: Uint8Array;
}

/** A threshold by image number; NaN for rows that don't name an image. Throws `cancelled`. */
export async function thresholdsOfImages(
  gate: ThresholdGate,
  values: Float64Array,
  rows: RowBits,
  { ids, isImage }: RowImages,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const pacer = new Pacer(signal);
  const ends = new Uint32Array(isImage.length + 1);
  const eachNumber = (visit: (id: number, value: number) => void) =>
    eachPartOf(rows, pacer, (start, end) => {
      for (let word = start; word < end; word++)
        for (let left = (rows[word] as number) | 0; left !== 0; left &= left - 1) {
          const row = word * 32 + lowestBit(left);
          const value = values[row] as number;
          if (value === value) visit(ids[row] as number, value);
        }
    });
  await eachNumber(id => (ends[id + 1] = (ends[id + 1] as number) + 1));
  for (let id = 1; id < ends.length; id++) ends[id] = (ends[id] as number) + (ends[id - 1] as number);
  const next = ends.slice();
  const grouped = new Float64Array(ends.at(-1) ?? 0);
  await eachNumber((id, value) => {
    const position = next[id] as number;
    next[id] = position + 1;
    grouped[position] = value;
  });
  const thresholds = new Float64Array(isImage.length).fill(NaN);
  for (let id = 0; id < isImage.length; id++) {
    const numbers = grouped.subarray(ends[id], ends[id + 1]);
    if (isImage[id] === 1 && numbers.length > 0)
      thresholds[id] = await thresholdOfNumbers(gate, numbers, pacer);
  }
  return thresholds;
}

/** Computes a threshold. Reorders the numbers. */
async function thresholdOfNumbers(gate: ThresholdGate, numbers: Float64Array, pacer: Pacer): Promise<number> {
  if (gate.kind === 'percentile') return quantileOf(numbers, gate.percent / 100, pacer);
  const { center: centerOf, spread: spreadOf, factor } = gate;
  const ids = [centerOf, spreadOf === 'sd' ? 'sd' : 'median'] as const;
  const read = await readNumbersOf(numbers, sharesOf(ids), pacer);
  const [center, spread] = someStatistics(ids, { present: numbers.length, missing: 0 }, read);
  if (center === undefined || center === null || spread === undefined || spread === null) return NaN;
  if (spreadOf === 'sd') return center + factor * spread;
  // Deviations from an infinite median are undefined.
  if (!Number.isFinite(spread)) return NaN;
  const deviations = deviationsFrom(spread, numbers);
  try {
    return center + factor * MAD_TO_SD * (await quantileOf(deviations, 0.5, pacer));
  } finally {
    freeMemory(deviations.buffer);
  }
}

function deviationsFrom(median: number, numbers: Float64Array): Float64Array<ArrayBuffer> {
  const deviations = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) deviations[at] = Math.abs((numbers[at] as number) - median);
  return deviations;
}

async function quantileOf(numbers: Float64Array, share: number, pacer: Pacer): Promise<number> {
  return quantileOfNumbers(await readNumbersOf(numbers, [share], pacer), share);
}
