import type { GreyPicture } from './greyPicture';
import { otsu } from './otsu';

/** Contrast of the objects, in standard deviations of the background, below which there is nothing but noise. */
const LEAST_CONTRAST = 4.5;

/** How often what is left is looked at for dimmer objects, and how dim they may be as a share of the brightest. */
const LOOKS = 3;
const DIMMEST = 0.07;

/** Pixels around an object that still have some of its light. */
export const HALO = 4;

/** What so many standard deviations above the background's median is no noise. */
const NOISE_REACH = 5;

/** Fewer pixels than this above the noise are chance. */
const FEWEST_PIXELS = 20;

/**
 * Brightnesses above which pixels belong to objects, falling; none when nothing stands out of the noise. The first is
 * for the whole picture; what is left when those objects are set aside is looked at again for dimmer ones.
 */
export function objectLevels(picture: GreyPicture): number[] {
  const levels: number[] = [];
  let least = 2 * picture.step;
  let rest = picture.values;
  while (levels.length < LOOKS) {
    const found = bimodalLevel(rest) ?? rareLevel(rest);
    if (!found || found.contrast < least) break;
    least = Math.max(least, DIMMEST * found.contrast);
    levels.push(found.level);
    rest = awayFromObjects(picture, found.level);
  }
  return levels;
}

interface Level {
  level: number;
  contrast: number;
}

/** Otsu's threshold, where it parts more than noise. */
function bimodalLevel(values: Float32Array): Level | undefined {
  const split = otsu(values);
  if (!split) return undefined;
  const contrast = split.highMean - split.lowMean;
  return contrast < LEAST_CONTRAST * split.lowDeviation ? undefined : { level: split.threshold, contrast };
}

/**
 * Half the brightness of what is far above the noise. Where objects are rare, Otsu's threshold parts the background
 * from itself.
 */
function rareLevel(values: Float32Array): Level | undefined {
  // Some 100,000 values tell the median well enough.
  const stride = Math.max(1, Math.floor(values.length / 100_000));
  const sample = new Float32Array(Math.ceil(values.length / stride));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * stride] ?? 0;
  sample.sort();
  const median = sample[sample.length >> 1] ?? 0;
  const distances = sample.map(value => Math.abs(value - median)).sort();
  const deviation = 1.4826 * (distances[distances.length >> 1] ?? 0);
  const floor = median + NOISE_REACH * deviation;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value <= floor) continue;
    sum += value;
    count++;
  }
  if (count < FEWEST_PIXELS) return undefined;
  const contrast = sum / count - median;
  return { level: Math.max(floor, median + contrast / 2), contrast };
}

/** The values of pixels that are not within a halo of what lies above the level. */
function awayFromObjects({ width, height, values }: GreyPicture, level: number): Float32Array {
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
