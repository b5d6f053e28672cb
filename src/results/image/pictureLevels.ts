import type { Raster, Samples } from '../../formats/raster';
import { SharedValues } from '../sharedWork';
import { runInSlices } from '../slices';

/** A picture at half, quarter, … of its size; samples interleaved and row-major as in Raster. */
export interface PictureLevel {
  width: number;
  height: number;
  samples: Samples;
}

/** A picture's levels, each the average of 2 × 2 pixels of the one before; made when first asked for, then kept. */
export class PictureLevels {
  private readonly levels = new SharedValues<number, PictureLevel>();

  constructor(private readonly raster: Raster) {}

  /** Level n: ceil(width / 2^n) × ceil(height / 2^n). */
  level(level: number, signal?: AbortSignal): Promise<PictureLevel> {
    if (level <= 0) return Promise.resolve(this.raster);
    const make = async (shared: AbortSignal): Promise<PictureLevel> => {
      const finer = await this.level(level - 1, shared);
      // Past one pixel there is nothing left to average.
      if (finer.width === 1 && finer.height === 1) return finer;
      return runInSlices(halve(finer, this.raster.channels), shared);
    };
    return this.levels.get(level, make, signal);
  }
}

/** Averages 2 × 2 pixels; at odd edges those that are there. Not-a-number samples are left out of the average. */
function* halve({ width, height, samples }: PictureLevel, channels: number): Generator<void, PictureLevel> {
  const halfWidth = Math.ceil(width / 2);
  const halfHeight = Math.ceil(height / 2);
  const Type = samples.constructor as new (length: number) => Samples;
  const half = new Type(halfWidth * halfHeight * channels);
  const rounding = samples instanceof Float32Array ? 0 : 0.5;
  for (let y = 0; y < halfHeight; y++) {
    yield;
    const rows = 2 * y + 1 < height ? 2 : 1;
    for (let x = 0; x < halfWidth; x++) {
      const columns = 2 * x + 1 < width ? 2 : 1;
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        let count = 0;
        for (let row = 0; row < rows; row++)
          for (let column = 0; column < columns; column++) {
            const value = samples[((2 * y + row) * width + 2 * x + column) * channels + channel] ?? NaN;
            if (value !== value) continue;
            sum += value;
            count++;
          }
        half[(y * halfWidth + x) * channels + channel] = count === 0 ? NaN : sum / count + rounding;
      }
    }
  }
  return { width: halfWidth, height: halfHeight, samples: half };
}
