import { quantile } from '../../columns/columnStatistics';
import type { ValueRange } from '../../pages/page/widgets/colorScale';
import type { ControlledPlate } from '../controls';

/** The shares of values below the ends of the `percentiles` scale. */
const PERCENTILES = [0.02, 0.98] as const;

/** The ends of the color scale, as set; by default the minimum and maximum value. */
export type ChosenScale = 'percentiles' | ValueRange;

/** The ends of the color scale, and the numbers of wells beyond them. */
export interface PlateScale {
  range: ValueRange;
  below: number;
  above: number;
}

/** The shown values of all wells, ascending. */
export function shownValues(plates: readonly Pick<ControlledPlate, 'shown'>[]): Float64Array {
  return Float64Array.from(plates.flatMap(({ shown }) => shown.filter(value => value !== null))).sort();
}

/** The color scale; undefined without a finite value. Infinite values are beyond any scale. */
export function plateScale(sorted: Float64Array, chosen: ChosenScale | undefined): PlateScale | undefined {
  const finite = sorted.filter(Number.isFinite);
  if (finite.length === 0) return undefined;
  const [from, to] = chosen === 'percentiles' ? PERCENTILES : [0, 1];
  const range =
    typeof chosen === 'object' ? chosen : { low: quantile(finite, from), high: quantile(finite, to) };
  const count = (isBeyond: (value: number) => boolean) => sorted.filter(isBeyond).length;
  return { range, below: count(value => value < range.low), above: count(value => value > range.high) };
}
