import type { GrayImage } from './grayImage';

/**
 * Standard deviation of the noise of an image, from how much pixels differ from the mean of their four neighbors
 * where the image is flattest (median), which objects and uneven light hardly change.
 */
export function estimateNoise({ width, height, values }: GrayImage): number {
  const differences: number[] = [];
  // Some 20,000 pixels are enough.
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)));
  for (let y = 1; y < height - 1; y += stride) {
    for (let x = 1; x < width - 1; x += stride) {
      const i = y * width + x;
      const around =
        (values[i - 1] ?? 0) + (values[i + 1] ?? 0) + (values[i - width] ?? 0) + (values[i + width] ?? 0);
      differences.push(Math.abs((values[i] ?? 0) - around / 4));
    }
  }
  if (differences.length === 0) return 0;
  differences.sort((a, b) => a - b);
  const median = differences[differences.length >> 1] ?? 0;
  // 0.6745 turns a median deviation into a standard deviation; the difference of one and a mean of four has √1.25 of
  // it.
  return median / 0.6745 / Math.sqrt(1.25);
}

/** Blurs in place with the binomial 1 4 6 4 1 (σ = 1 pixel) along rows and columns; borders repeat. */
export function blur({ width, height, values }: GrayImage): void {
  const line = new Float32Array(width + 4);
  for (let row = 0; row < values.length; row += width) {
    line.set(values.subarray(row, row + width), 2);
    line[0] = line[1] = line[2] ?? 0;
    line[width + 2] = line[width + 3] = line[width + 1] ?? 0;
    for (let x = 0; x < width; x++) {
      const outer = (line[x] ?? 0) + (line[x + 4] ?? 0);
      const inner = (line[x + 1] ?? 0) + (line[x + 3] ?? 0);
      values[row + x] = (outer + 4 * inner + 6 * (line[x + 2] ?? 0)) / 16;
    }
  }
  // Row by row down the columns, with copies of the rows above, which are already changed.
  let second = values.slice(0, width);
  let first = second.slice();
  const last = (height - 1) * width;
  for (let row = 0; row < values.length; row += width) {
    const here = values.slice(row, row + width);
    const below = Math.min(row + width, last);
    const farther = Math.min(row + 2 * width, last);
    for (let x = 0; x < width; x++) {
      // The last rows repeat: not changed yet, unless they are this one.
      const next = below === row ? (here[x] ?? 0) : (values[below + x] ?? 0);
      const beyond = farther === row ? (here[x] ?? 0) : (values[farther + x] ?? 0);
      const outer = (second[x] ?? 0) + beyond;
      const inner = (first[x] ?? 0) + next;
      values[row + x] = (outer + 4 * inner + 6 * (here[x] ?? 0)) / 16;
    }
    second = first;
    first = here;
  }
}
