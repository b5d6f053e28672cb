import type { Raster } from '../../formats/raster';

/** One value per pixel, row-major. */
export interface GreyPicture {
  width: number;
  height: number;
  values: Float32Array;
  /** Smallest step between two samples of the file; contrasts below it mean nothing. */
  step: number;
}

/** Largest value of the scale that samples without a natural range are put on. */
const FULL_SCALE = 65535;

/** ITU-R BT.601, what "luma" means for an RGB picture. */
const LUMA = [0.299, 0.587, 0.114];

/** Positions of the channels that hold picture, not transparency. */
export function pictureChannels(raster: Raster): number[] {
  return Array.from({ length: raster.channels }, (_, i) => i).filter(channel => channel !== raster.alpha);
}

/**
 * The brightness of a picture: luma of RGB, the mean of other channels, turned where the file counts from white.
 * With `dark`, dark is high. Floats and 32-bit samples are scaled to 0…65535, what is not a number is the lowest.
 */
export function greyPicture(raster: Raster, dark: boolean): GreyPicture {
  const { width, height, channels, samples } = raster;
  const used = pictureChannels(raster);
  const weights = used.map(i =>
    raster.photometric === 'rgb' && used.length === 3 ? (LUMA[i] ?? 0) : 1 / used.length,
  );
  const values = new Float32Array(width * height);
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    let value = 0;
    for (let c = 0; c < used.length; c++) {
      value += (samples[i * channels + (used[c] ?? 0)] ?? 0) * (weights[c] ?? 0);
    }
    values[i] = value;
    if (Number.isFinite(value)) {
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
  }
  const inverted = dark !== (raster.photometric === 'white-is-zero');
  if (raster.bitsPerSample === 32) {
    const scale = highest > lowest ? FULL_SCALE / (highest - lowest) : 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      values[i] = Number.isFinite(value) ? (value - lowest) * scale : value > 0 ? FULL_SCALE : 0;
    }
  }
  const top = raster.bitsPerSample === 8 ? 255 : FULL_SCALE;
  if (inverted) for (let i = 0; i < values.length; i++) values[i] = top - (values[i] ?? 0);
  return { width, height, values, step: raster.bitsPerSample === 8 ? 1 / used.length : 1 };
}
