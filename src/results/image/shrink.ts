import type { Samples } from '../../formats/raster';

/** Places of a row or a column that are averaged into each place of a smaller one: from `starts[i]` to `ends[i]`. */
export interface Shrinking {
  starts: Int32Array;
  ends: Int32Array;
}

/**
 * How `count` places, the first of them `first`, of a row at 1 / `factor` of its size lie in the row itself, which has
 * `length` places; measured from `origin`. A factor below 1 repeats places.
 */
export function shrinking(
  first: number,
  count: number,
  factor: number,
  length: number,
  origin: number,
): Shrinking {
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    // Sizes are rounded level by level: a factor of 3.9998 is 4.
    const start = Math.min(length - 1, Math.floor((first + i) * factor + 1e-3));
    const end = Math.min(length, Math.floor((first + i + 1) * factor + 1e-3));
    starts[i] = start - origin;
    ends[i] = Math.max(start + 1, end) - origin;
  }
  return { starts, ends };
}

/**
 * Averages a window of samples, `width` to a row, into rows of smaller ones; what is not a number is left out, and whole
 * numbers are rounded. Yields between rows.
 */
export function* shrink(
  samples: Samples,
  width: number,
  across: Shrinking,
  down: Shrinking,
): Generator<void, Samples> {
  const [columns, rows] = [across.starts.length, down.starts.length];
  const Type = samples.constructor as new (length: number) => Samples;
  const small = new Type(columns * rows);
  const round = !(samples instanceof Float32Array || samples instanceof Float64Array);
  for (let y = 0; y < rows; y++) {
    yield;
    const [top, bottom] = [down.starts[y] ?? 0, down.ends[y] ?? 0];
    for (let x = 0; x < columns; x++) {
      const [left, right] = [across.starts[x] ?? 0, across.ends[x] ?? 0];
      let sum = 0;
      let count = 0;
      for (let row = top; row < bottom; row++) {
        for (let at = row * width + left, end = row * width + right; at < end; at++) {
          const value = samples[at] ?? NaN;
          if (value !== value) continue;
          sum += value;
          count++;
        }
      }
      const mean = count === 0 ? NaN : sum / count;
      small[y * columns + x] = round ? Math.floor(mean + 0.5) : mean;
    }
  }
  return small;
}
