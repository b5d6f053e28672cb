import { setImmediate as otherWork } from 'node:timers/promises';
import { throwIfCanceled } from '../../../base/errors';
import { subtractBackground } from './background';
import { fillHoles, labelComponents, removeSmall } from './components';
import type { GrayImage } from './grayImage';
import { splitTouching } from './splitTouching';
import { otsu, robustSpread } from './statistics';
import { MIN_OBJECT_AREA, trimEdges } from './trimEdges';

/** Noise as a share of contrast: below the first, edges aren't smoothed; the second is strong. */
const CLEAN = 0.01;
const NOISY = 0.2;

/** Holes of at most this many pixels are filled however dark they are. */
const SPECK = 6;

/**
 * Finds the bright objects of an image and labels their pixels from 1 (0 is background); `image` is
 * changed to the brightness above the background. An image without objects has no labels. Touching
 * objects are split where the distance to the edge at the neck is less than that at the thinner
 * one's center, by `neckDepth` of the latter.
 */
export async function segment(image: GrayImage, neckDepth: number, signal: AbortSignal): Promise<Int32Array> {
  const stage = async () => {
    await otherWork();
    throwIfCanceled(signal);
  };
  const noise = estimateNoise(image);
  subtractBackground(image);
  await stage();
  const split = otsu(image.values);
  const contrast = split ? split.highMean - split.lowMean : 0;
  // Smoothed only as much as there is noise, so that a clean image keeps its edges.
  if (noise > CLEAN * contrast) blur(image);
  if (noise > NOISY * contrast) blur(image);
  await stage();
  const levels = objectLevels(image);
  await stage();
  const labels = new Int32Array(image.values.length);
  let above = Infinity;
  for (const level of levels) {
    const fresh = newObjects(image, labels, level, above);
    await stage();
    addObjects(image, labels, fresh, neckDepth);
    await stage();
    above = level;
  }
  grow(image, labels, above);
  await stage();
  return trimEdges(image, labels, noise > CLEAN * contrast);
}

/**
 * The mask of unlabeled pixels above `level`. Removes in place the labels of small parts of a dim
 * object, found at the level before.
 */
function newObjects(
  { width, height, values }: GrayImage,
  labels: Int32Array,
  level: number,
  above: number,
): Uint8Array {
  const mask = new Uint8Array(values.length);
  for (let i = 0; i < mask.length; i++) mask[i] = (values[i] ?? 0) > level ? 1 : 0;
  const parts = labelComponents(mask, width, height, 8);
  const labeled = new Int32Array(parts.areas.length);
  const brightness = new Float64Array(parts.areas.length);
  for (let i = 0; i < mask.length; i++) {
    const part = parts.labels[i] ?? 0;
    if (part === 0 || labels[i] === 0) continue;
    labeled[part] = (labeled[part] ?? 0) + 1;
    brightness[part] = (brightness[part] ?? 0) + (values[i] ?? 0);
  }
  const isNew = (part: number) => {
    const pixels = labeled[part] ?? 0;
    return pixels < 0.8 * (parts.areas[part] ?? 0) && (brightness[part] ?? 0) <= 1.3 * above * pixels;
  };
  for (let i = 0; i < mask.length; i++) {
    const part = parts.labels[i] ?? 0;
    if (part === 0) continue;
    if (labeled[part] === 0 || isNew(part)) labels[i] = 0;
    else mask[i] = 0;
  }
  removeSmall(mask, parts, MIN_OBJECT_AREA);
  // A dark gap between touching cells is not a hole in a cell; a few pixels are noise.
  fillHoles({ mask, width, height, values }, parts, (mean, pixels) => mean > 0.6 * level || pixels <= SPECK);
  return mask;
}

/** Splits the parts of a mask where they touch and adds them to the labels, in place. */
function addObjects(
  { width, height }: GrayImage,
  labels: Int32Array,
  mask: Uint8Array,
  neckDepth: number,
): void {
  let last = 0;
  for (let i = 0; i < labels.length; i++) last = Math.max(last, labels[i] ?? 0);
  const added = splitTouching(mask, width, height, peak => Math.max(1, neckDepth * peak));
  for (let i = 0; i < labels.length; i++) {
    // A filled hole may contain a brighter object.
    if (labels[i] === 0 && added[i] !== 0) labels[i] = last + (added[i] ?? 0);
  }
}

/** Grows labels, in place, into pixels above `level`, up to the reach of an object's light. */
function grow({ width, height, values }: GrayImage, labels: Int32Array, level: number): void {
  let edge: number[] = [];
  for (let i = 0; i < labels.length; i++) if (labels[i] !== 0) edge.push(i);
  for (let step = 0; step < HALO; step++) {
    const reached: number[] = [];
    for (const i of edge) {
      const x = i % width;
      const visit = (j: number) => {
        if (labels[j] !== 0 || (values[j] ?? 0) <= level) return;
        labels[j] = labels[i] ?? 0;
        reached.push(j);
      };
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (i >= width) visit(i - width);
      if (i < width * (height - 1)) visit(i + width);
    }
    edge = reached;
  }
}

/**
 * Standard deviation of the noise of an image, from how much pixels differ from the mean of their
 * four neighbors where the image is flattest (median), which objects and uneven light hardly
 * change.
 */
function estimateNoise({ width, height, values }: GrayImage): number {
  // Some 20,000 pixels are enough.
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)));
  const differences = new Float64Array(Math.ceil(width / stride) * Math.ceil(height / stride));
  let count = 0;
  for (let y = 1; y < height - 1; y += stride) {
    for (let x = 1; x < width - 1; x += stride) {
      const i = y * width + x;
      const around =
        (values[i - 1] ?? 0) + (values[i + 1] ?? 0) + (values[i - width] ?? 0) + (values[i + width] ?? 0);
      differences[count++] = Math.abs((values[i] ?? 0) - around / 4);
    }
  }
  const median = differences.subarray(0, count).sort()[count >> 1] ?? 0;
  // 0.6745 turns a median deviation into a standard deviation; the difference of one and a mean of
  // four has √1.25 of it.
  return median / 0.6745 / Math.sqrt(1.25);
}

/** Blurs in place by 1 4 6 4 1 (σ = 1 pixel) along rows and columns; borders repeat. */
function blur({ width, height, values }: GrayImage): void {
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

/** Minimum contrast of objects, in standard deviations of the background; below is noise. */
const MIN_CONTRAST = 4.5;

/** Number of searches for dimmer objects, and their brightness as a share of the brightest's. */
const MAX_LEVELS = 3;
const MIN_BRIGHTNESS_RATIO = 0.07;

/** Pixels around an object that still have some of its light. */
const HALO = 4;

/** Values this many standard deviations above the background's median aren't noise. */
const NOISE_LIMIT = 5;

/** Fewer pixels than this above the noise may be chance. */
const MIN_PIXELS = 20;

/**
 * Brightness thresholds of objects, descending; none if there is only noise. The first is for the
 * whole image; the rest, without those objects, is searched again for dimmer ones.
 */
function objectLevels(image: GrayImage): number[] {
  const levels: number[] = [];
  let least = 2 * image.step;
  let rest = image.values;
  while (levels.length < MAX_LEVELS) {
    const next = bimodalLevel(rest) ?? rareLevel(rest);
    if (!next || next.contrast < least) break;
    least = Math.max(least, MIN_BRIGHTNESS_RATIO * next.contrast);
    levels.push(next.level);
    rest = awayFromObjects(image, next.level);
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

/** Half the brightness of pixels far above noise. With rare objects, Otsu splits the background. */
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
