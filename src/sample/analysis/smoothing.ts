import type { GreyPicture } from './greyPicture';

/**
 * Standard deviation of the noise of a picture, from how much pixels differ from the mean of their four neighbours
 * where the picture is flattest (median), which objects and uneven light hardly change.
 */
export function estimateNoise({ width, height, values }: GreyPicture): number {
  const differences: number[] = [];
  // Some 20,000 pixels tell it well enough.
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
  // 0.6745 turns a median deviation into a standard deviation; the difference of one and a mean of four has √1.25 of it.
  return median / 0.6745 / Math.sqrt(1.25);
}

/** Blurs in place with the binomial 1 4 6 4 1 (σ = 1 pixel) along rows and columns; borders repeat. */
export function blur({ width, height, values }: GreyPicture): void {
  const line = new Float32Array(Math.max(width, height) + 4);
  const pass = (start: number, step: number, length: number) => {
    for (let i = 0; i < length; i++) line[i + 2] = values[start + i * step] ?? 0;
    line[0] = line[1] = line[2] ?? 0;
    line[length + 2] = line[length + 3] = line[length + 1] ?? 0;
    for (let i = 0; i < length; i++) {
      const outer = (line[i] ?? 0) + (line[i + 4] ?? 0);
      const inner = (line[i + 1] ?? 0) + (line[i + 3] ?? 0);
      values[start + i * step] = (outer + 4 * inner + 6 * (line[i + 2] ?? 0)) / 16;
    }
  };
  for (let y = 0; y < height; y++) pass(y * width, 1, width);
  for (let x = 0; x < width; x++) pass(x, width, height);
}
