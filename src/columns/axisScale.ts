/*
 * Scales of axes. On a logarithmic axis, a number is at its decimal logarithm; zoom, bins and
 * straight lines use these positions. Numbers that aren't above 0 have no position.
 */

export type AxisScale = 'linear' | 'log';

/** The scales of a horizontal and a vertical axis. */
export type AxisScales = [x: AxisScale, y: AxisScale];

/** The position of a number on an axis; NaN if it has none. */
export function onAxis(value: number, scale: AxisScale): number {
  if (scale === 'linear') return value;
  return value > 0 ? Math.log10(value) : NaN;
}

/** The number at a position on an axis. */
export function fromAxis(position: number, scale: AxisScale): number {
  return scale === 'linear' ? position : 10 ** position;
}

/** The positions of numbers on an axis; on a linear axis, the same array. */
export function allOnAxis(values: Float64Array, scale: AxisScale): Float64Array {
  return scale === 'linear' ? values : values.map(value => (value > 0 ? Math.log10(value) : NaN));
}
