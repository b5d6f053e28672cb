/*
 * Scales of axes. On a logarithmic one a number is at its decimal logarithm: zoom, bins and
 * straight lines are there. Numbers that aren't above 0 have no place on it.
 */

export type AxisScale = 'linear' | 'log';

/** The scales of a horizontal and a vertical axis. */
export type AxisScales = [x: AxisScale, y: AxisScale];

/** Where a number is on an axis; NaN where it has no place on it. */
export function onAxis(value: number, scale: AxisScale): number {
  if (scale === 'linear') return value;
  return value > 0 ? Math.log10(value) : NaN;
}

/** The number at a place of an axis. */
export function atPlace(place: number, scale: AxisScale): number {
  return scale === 'linear' ? place : 10 ** place;
}

/** Where numbers are on an axis; those of a linear one themselves. */
export function allOnAxis(values: Float64Array, scale: AxisScale): Float64Array {
  return scale === 'linear' ? values : values.map(value => (value > 0 ? Math.log10(value) : NaN));
}
