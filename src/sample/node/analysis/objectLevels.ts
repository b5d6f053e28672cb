import type { GrayImage } from './grayImage';
import { otsu } from './otsu';
import { robustSpread } from './robustSpread';

/** Contrast of the objects, in standard deviations of the background, below which there is only noise. */
const MIN_CONTRAST = 4.5;

/**
 * How often the rest of the image is searched for dimmer objects, and their minimum brightness as a share of the
 * brightest.
 */
const MAX_LEVELS = 3;
const MIN_BRIGHTNESS_RATIO = 0.07;

/** Pixels around an object that still have some of its light. */
export const HALO = 4;

/** Values this many standard deviations above the background's median aren't noise. */
const NOISE_LIMIT = 5;

/** Fewer pixels than this above the noise may be chance. */
const MIN_PIXELS = 20;

/**
 * Brightnesses above which pixels belong to objects, descending; none when there is only noise. The first is for the
 * whole image; the rest, without those objects, is searched again for dimmer ones.
 */
export function objectLevels(image: GrayImage): number[] {
  const levels: number[] = [];
  let least = 2 * image.step;
  let rest = image.values;
  while (levels.length < MAX_LEVELS) {
    const found = bimodalLevel(rest) ?? rareLevel(rest);
    if (!found || found.contrast < least) break;
    least = Math.max(least, MIN_BRIGHTNESS_RATIO * found.contrast);
    levels.push(found.level);
    rest = awayFromObjects(image, found.level);
  }
  return levels;
}

interface Level {
  level: number;
  contrast: number;
}

/** Otsu's threshold, where it separates more than noise. */
function bimodalLevel(values: Float32Array): Level | undefined {
  const split = otsu(values);
  if (!split) return undefined;
  const contrast = split.highMean - split.lowMean;
  return contrast < MIN_CONTRAST * split.lowDeviation ? undefined : { level: split.threshold, contrast };
}

/**
 * Half the brightness of the pixels far above the noise. Where objects are rare, Otsu's threshold splits the
 * background.
 */
function rareLevel(values: Float32Array): Level | undefined {
  const { median, deviation } = robustSpread(values);
  const floor = median + NOISE_LIMIT * deviation;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value <= floor) continue;
    sum += value;
    count++;
  }
  if (count < MIN_PIXELS) return undefined;
  const contrast = sum / count - median;
  return { level: Math.max(floor, median + contrast / 2), contrast };
}

/** The values of pixels that are not within a halo of a pixel above the level. */
function awayFromObjects({ width, height, values }: GrayImage, level: number): Float32Array {
  const near = new Uint8Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    // Pixels since the last bright one, once from the left, once from the right.
    let since = HALO + 1;
    for (let i = row; i < row + width; i++) {
      since = (values[i] ?? 0) > level ? 0 : since + 1;
      if (since <= HALO) near[i] = 1;
    }
    since = HALO + 1;
    for (let i = row + width - 1; i >= row; i--) {
      since = (values[i] ?? 0) > level ? 0 : since + 1;
      if (since <= HALO) near[i] = 1;
    }
  }
  const rest = new Float32Array(values.length);
  let count = 0;
  // Near pixels of the rows above and below within the halo count as well.
  const rows = new Int32Array(width);
  for (let y = -HALO; y < height; y++) {
    const entering = (y + HALO) * width;
    const leaving = (y - HALO - 1) * width;
    for (let x = 0; x < width; x++) {
      let nearby = rows[x] ?? 0;
      if (y + HALO < height) nearby += near[entering + x] ?? 0;
      if (y > HALO) nearby -= near[leaving + x] ?? 0;
      rows[x] = nearby;
      if (y >= 0 && nearby === 0) rest[count++] = values[y * width + x] ?? 0;
    }
  }
  return rest.subarray(0, count);
}
