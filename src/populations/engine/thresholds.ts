import { Pacer } from '../../base/node/slices';
import { FIRST_TEXT, gatherCodes, type TableSource } from '../../columns/engine/read/tableSource';
import { selectNumbers } from '../../columns/engine/selectNumbers';
import { exactSum, extentOf, squaresAbout } from '../../columns/exactSum';
import type { PercentileGate, StatisticGate } from '../gate';
import { countRows, eachWord, lowest, type RowBits } from './rowBits';

/** Makes the median of absolute deviations an SD where values are normally distributed. */
const NORMAL = 1.4826;

type ThresholdGate = PercentileGate<number> | StatisticGate<number>;

/** The threshold of numbers of some rows; NaN for too few. Throws `cancelled`. */
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
  return thresholdOfNumbers(gate, numbers.subarray(0, count), pacer);
}

interface ByImage {
  table: Pick<TableSource, 'columns' | 'codes' | 'numbers' | 'residuals'>;
  imageColumn: number;
  rowCount: number;
  signal?: AbortSignal | undefined;
}

/**
 * A threshold per image, by the code of its text, and the code of each row. Rows without an image:
 * NaN.
 */
export async function groupedThresholds(
  gate: ThresholdGate,
  values: Float64Array,
  rows: RowBits,
  { table, imageColumn, rowCount, signal }: ByImage,
): Promise<{ codes: Uint32Array; ofCode: Float64Array }> {
  const pacer = new Pacer(signal);
  const { codes, texts } = await gatherCodes(
    table,
    imageColumn,
    { rows: undefined, count: rowCount },
    signal,
  );
  const ends = new Uint32Array(texts.size + 1);
  const eachNumber = (visit: (code: number, value: number) => void) =>
    eachWord(rows, pacer, (word, bits) => {
      for (let left = bits; left !== 0; left &= left - 1) {
        const row = word * 32 + lowest(left);
        const value = values[row] as number;
        if (value === value) visit(codes[row] as number, value);
      }
    });
  await eachNumber(code => (ends[code + 1] = (ends[code + 1] as number) + 1));
  for (let code = 1; code < ends.length; code++)
    ends[code] = (ends[code] as number) + (ends[code - 1] as number);
  const next = ends.slice();
  const grouped = new Float64Array(ends.at(-1) ?? 0);
  await eachNumber((code, value) => {
    const at = next[code] as number;
    next[code] = at + 1;
    grouped[at] = value;
  });
  const ofCode = new Float64Array(texts.size).fill(NaN);
  for (let code = FIRST_TEXT; code < ofCode.length; code++) {
    const numbers = grouped.subarray(ends[code], ends[code + 1]);
    if (numbers.length > 0) ofCode[code] = await thresholdOfNumbers(gate, numbers, pacer);
  }
  return { codes, ofCode };
}

async function thresholdOfNumbers(gate: ThresholdGate, numbers: Float64Array, pacer: Pacer): Promise<number> {
  if (gate.kind === 'percentile') return quantile(numbers, gate.percent / 100, pacer);
  const { center: centerOf, spread: spreadOf, factor } = gate;
  const usesMean = centerOf === 'mean' || spreadOf === 'sd';
  const { mean, sd } = usesMean ? meanAndSd(numbers) : { mean: NaN, sd: NaN };
  const median = centerOf === 'median' || spreadOf === 'mad' ? await quantile(numbers, 0.5, pacer) : NaN;
  const center = centerOf === 'mean' ? mean : median;
  if (spreadOf === 'sd') return center + factor * sd;
  // Between infinite numbers there is no deviation.
  if (!Number.isFinite(median)) return NaN;
  const deviations = new Float64Array(numbers.length);
  for (let at = 0; at < deviations.length; at++) deviations[at] = Math.abs((numbers[at] as number) - median);
  return center + factor * NORMAL * (await quantile(deviations, 0.5, pacer));
}

/** Of the finite numbers, as statistics of columns. */
function meanAndSd(numbers: Float64Array): { mean: number; sd: number } {
  const { least, greatest } = extentOf(numbers);
  const finite = greatest - least < Infinity ? numbers : numbers.filter(Number.isFinite);
  const { length } = finite;
  if (length === 0) return { mean: NaN, sd: NaN };
  const extent = extentOf(finite);
  const mean = exactSum(finite, extent) / length;
  return { mean, sd: length > 1 ? Math.sqrt(squaresAbout(mean, finite, extent) / (length - 1)) : NaN };
}

/** By linear interpolation between sorted numbers, as quartiles. */
async function quantile(numbers: Float64Array, share: number, pacer: Pacer): Promise<number> {
  const { length } = numbers;
  if (length === 0) return NaN;
  const place = (length - 1) * share;
  const below = Math.floor(place);
  const places = place > below ? [below, below + 1] : [below];
  const found = await selectNumbers({ numbers, extent: extentOf(numbers) }, places, pacer);
  const low = (found.get(below) ?? NaN) + 0;
  const high = found.get(below + 1) ?? low;
  if (place === below || low === high) return low;
  if (low === -Infinity || high === Infinity) return low + high;
  return low + (high - low) * (place - below);
}
