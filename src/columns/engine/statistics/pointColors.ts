import { gatherCodes, gatherNumbers, type RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';
import { mostFrequent } from './mostFrequent';

const MAX_COLORS = 64;
const MAX_VALUE_CHARACTERS = 1000;

/** The colors of points. */
export interface ColumnColors {
  /** The number of each point, or its position in `colorValues`; NaN if it has none. */
  color: Float64Array<ArrayBuffer>;
  /** The most frequent texts of a column of text. */
  colorValues?: string[];
  /** The least and the greatest number of a column of numbers. */
  colorRange?: [number, number];
}

/** Colors points by a column; `positions` are those of the points in `all`, whose rows decide texts and range. */
export async function pointColors(
  table: TableSource,
  column: number,
  all: RowSubset,
  positions: Uint32Array,
  signal?: AbortSignal,
): Promise<ColumnColors> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, all, signal);
    const range = finiteRange(values);
    return {
      color: Float64Array.from(positions, at => values[at] ?? NaN),
      ...(range && { colorRange: range }),
    };
  }
  const { codes, texts } = await gatherCodes(table, column, all, signal);
  const counts = new Uint32Array(texts.size);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  const frequent = mostFrequent(counts, MAX_COLORS);
  const numberOf = new Map(frequent.map((code, at) => [code, at]));
  return {
    color: Float64Array.from(positions, at => numberOf.get(codes[at] ?? 0) ?? NaN),
    colorValues: frequent.map(code => texts.text(code).slice(0, MAX_VALUE_CHARACTERS)),
  };
}

function finiteRange(values: Float64Array): [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    // Infinity and NaN minus themselves are NaN.
    if (value - value !== 0) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}
