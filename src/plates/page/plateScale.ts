import type { ValueRange } from '../../pages/page/widgets/colorScale';
import type { ControlledPlate } from '../controls';

/** The percents of the `percentiles` scale. */
const PERCENTILES = [2, 98] as const;

/** The ends of the color scale, as set; by default the minimum and maximum value. */
export type ChosenScale = 'percentiles' | ValueRange;

/** The colors of wells: their ends, and the number of wells beyond. */
export interface PlateScale {
  range: ValueRange;
  below: number;
  above: number;
}

/** The finite values that are shown of the wells of plates, ascending. */
export function shownValues(plates: readonly Pick<ControlledPlate, 'shown'>[]): Float64Array {
  const finite = plates.flatMap(({ shown }) =>
    shown.filter((value): value is number => value !== null && Number.isFinite(value)),
  );
  return Float64Array.from(finite).sort();
}

/** Undefined without a value. Infinite values are beyond any scale. */
export function plateScale(
  plates: readonly Pick<ControlledPlate, 'shown'>[],
  sorted: Float64Array,
  chosen: ChosenScale | undefined,
): PlateScale | undefined {
  const [least] = sorted;
  if (least === undefined) return undefined;
  const [from, to] = chosen === 'percentiles' ? PERCENTILES : [0, 100];
  const range =
    typeof chosen === 'object' ? chosen : { low: percentile(sorted, from), high: percentile(sorted, to) };
  const count = (isBeyond: (value: number) => boolean) =>
    plates.reduce(
      (sum, { shown }) => sum + shown.filter(value => value !== null && isBeyond(value)).length,
      0,
    );
  return { range, below: count(value => value < range.low), above: count(value => value > range.high) };
}

/** By linear interpolation between order statistics, as for columns. */
function percentile(sorted: Float64Array, percent: number): number {
  const place = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  const weight = place - Math.floor(place);
  // A difference may be beyond the doubles.
  return weight === 0 ? low : low * (1 - weight) + high * weight;
}
