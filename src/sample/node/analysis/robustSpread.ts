/** Median, and the standard deviation that normal noise of the same median deviation has: outliers hardly count. */
export interface RobustSpread {
  median: number;
  deviation: number;
}

/** Some 100,000 values are enough. */
const MAX_SORTED = 100_000;

/** The spread of most of the values, whatever a minority is; 0 and 0 without values. */
export function robustSpread(values: Float32Array): RobustSpread {
  const stride = Math.max(1, Math.floor(values.length / MAX_SORTED));
  const sample = new Float32Array(Math.ceil(values.length / stride));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * stride] ?? 0;
  const median = middle(sample);
  return { median, deviation: 1.4826 * middle(sample.map(value => Math.abs(value - median))) };
}

function middle(values: Float32Array): number {
  return values.sort()[values.length >> 1] ?? 0;
}
