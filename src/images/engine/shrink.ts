import type { Samples } from '../raster';
import { alike } from '../tiff/tiffWindow';

/** The samples of a row or column that are averaged into sample `i` of a smaller one: from `starts[i]` to before `ends[i]`. */
export interface Shrinking {
  starts: Int32Array;
  ends: Int32Array;
}

/**
 * Which samples of a row are averaged into `count` samples, from number `first` on, of the row at 1 / `factor` of its size.
 * The row has `length` samples; positions count from `origin`. A factor below 1 repeats samples.
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
 * Averages a window of samples, `width` to a row, into rows of smaller ones; what is not a number is left out. Whole
 * numbers are rounded, unless they have fewer than 8 bits: their means become floats. Yields between rows.
 */
export function* shrink(
  samples: Samples,
  width: number,
  across: Shrinking,
  down: Shrinking,
  bits: number,
): Generator<void, Samples> {
  const [columns, rows] = [across.starts.length, down.starts.length];
  // Rounded, half of 0s and 1s would be all black or all white.
  const small = bits < 8 ? new Float32Array(columns * rows) : alike(samples, columns * rows);
  const round = !(small instanceof Float32Array || small instanceof Float64Array);
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
