import { freeMemory } from '../../base/node/freeMemory';
import { Pacer } from '../../base/node/slices';
import { selectNumbers } from '../../columns/engine/selectNumbers';
import { exactSum, extentOf, squaresAbout } from '../../columns/exactSum';
import type { PercentileGate, StatisticGate } from '../gate';
import { countRows, eachWord, lowest, type RowBits } from './rowBits';

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
  const pacer = new Pacer(signal);
  const numbers = new Float64Array(countRows(rows));
  let count = 0;
  await eachWord(rows, pacer, (word, bits) => {
    for (let left = bits; left !== 0; left &= left - 1) {
      const value = values[word * 32 + lowest(left)] as number;
      if (value === value) numbers[count++] = value;
    }
  });
  try {
    return await thresholdOfNumbers(gate, numbers.subarray(0, count), pacer);
  } finally {
    freeMemory(numbers.buffer);
  }
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
    eachWord(rows, pacer, (word, bits) => {
      for (let left = bits; left !== 0; left &= left - 1) {
        const row = word * 32 + lowest(left);
        const value = values[row] as number;
        if (value === value) visit(ids[row] as number, value);
      }
    });
  await eachNumber(id => (ends[id + 1] = (ends[id + 1] as number) + 1));
  for (let id = 1; id < ends.length; id++) ends[id] = (ends[id] as number) + (ends[id - 1] as number);
  const next = ends.slice();
  const grouped = new Float64Array(ends.at(-1) ?? 0);
  await eachNumber((id, value) => {
    const at = next[id] as number;
    next[id] = at + 1;
    grouped[at] = value;
  });
  const thresholds = new Float64Array(isImage.length).fill(NaN);
  for (let id = 0; id < isImage.length; id++) {
    const numbers = grouped.subarray(ends[id], ends[id + 1]);
    if (isImage[id] === 1 && numbers.length > 0)
      thresholds[id] = await thresholdOfNumbers(gate, numbers, pacer);
  }
  return thresholds;
}

async function thresholdOfNumbers(gate: ThresholdGate, numbers: Float64Array, pacer: Pacer): Promise<number> {
  if (gate.kind === 'percentile') return quantile(numbers, gate.percent / 100, pacer);
  const { center: centerOf, spread: spreadOf, factor } = gate;
  const usesMean = centerOf === 'mean' || spreadOf === 'sd';
  const { mean, sd } = usesMean ? meanAndSd(numbers) : { mean: NaN, sd: NaN };
  const median = centerOf === 'median' || spreadOf === 'mad' ? await quantile(numbers, 0.5, pacer) : NaN;
  const center = centerOf === 'mean' ? mean : median;
  if (spreadOf === 'sd') return center + factor * sd;
  // Deviations from an infinite median are undefined.
  if (!Number.isFinite(median)) return NaN;
  const deviations = new Float64Array(numbers.length);
  for (let at = 0; at < deviations.length; at++) deviations[at] = Math.abs((numbers[at] as number) - median);
  try {
    return center + factor * MAD_TO_SD * (await quantile(deviations, 0.5, pacer));
  } finally {
    freeMemory(deviations.buffer);
  }
}

/** The mean and SD of the finite numbers, as in statistics of columns. */
function meanAndSd(numbers: Float64Array): { mean: number; sd: number } {
  const { least, greatest } = extentOf(numbers);
  const finite = greatest - least < Infinity ? numbers : numbers.filter(Number.isFinite);
  const { length } = finite;
  if (length === 0) return { mean: NaN, sd: NaN };
  const extent = extentOf(finite);
  const mean = exactSum(finite, extent) / length;
  return { mean, sd: length > 1 ? Math.sqrt(squaresAbout(mean, finite, extent) / (length - 1)) : NaN };
}

/** A quantile by linear interpolation between sorted numbers, as quartiles in statistics. */
async function quantile(numbers: Float64Array, share: number, pacer: Pacer): Promise<number> {
  const { length } = numbers;
  if (length === 0) return NaN;
  const place = (length - 1) * share;
  const below = Math.floor(place);
  const places = place > below ? [below, below + 1] : [below];
  const selected = await selectNumbers({ numbers, extent: extentOf(numbers) }, places, pacer);
  const low = (selected.get(below) ?? NaN) + 0;
  const high = selected.get(below + 1) ?? low;
  if (place === below || low === high) return low;
  if (low === -Infinity || high === Infinity) return low + high;
  return low + (high - low) * (place - below);
}
