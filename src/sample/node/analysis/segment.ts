import { setImmediate as otherWork } from 'node:timers/promises';
import { throwIfCanceled } from '../../../base/errors';
import { subtractBackground } from './background';
import { fillHoles, labelComponents, removeSmall } from './components';
import type { GrayImage } from './grayImage';
import { splitTouching } from './splitTouching';
import { otsu, robustSpread } from './statistics';
import { MIN_OBJECT_AREA, trimEdges } from './trimEdges';

/** An image with more noise than this share of its contrast is blurred once. */
const SLIGHT_NOISE = 0.01;
/** An image with more noise than this share of its contrast is blurred twice. */
const STRONG_NOISE = 0.2;
/** Holes of at most this many pixels are filled even if they are dark. */
const SPECK = 6;

/**
 * Finds the bright objects of an image and labels their pixels from 1; 0 is background. Changes
 * `image` to the brightness above the background. Touching objects are split at a neck if it is
 * narrower than the thinner object by the share `neckDepth`.
 */
export async function segment(image: GrayImage, neckDepth: number, signal: AbortSignal): Promise<Int32Array> {
  const betweenStages = async () => {
    await otherWork();
    throwIfCanceled(signal);
  };
  const noise = estimateNoise(image);
  subtractBackground(image);
  await betweenStages();
  const split = otsu(image.values);
  const contrast = split ? split.highMean - split.lowMean : 0;
  // A clean image isn't blurred, so that its edges stay sharp.
  if (noise > SLIGHT_NOISE * contrast) blur(image);
  if (noise > STRONG_NOISE * contrast) blur(image);
  await betweenStages();
  const levels = objectLevels(image);
  await betweenStages();
  const labels = new Int32Array(image.values.length);
  let previousLevel = Infinity;
  for (const level of levels) {
    const newMask = newObjects(image, labels, level, previousLevel);
    await betweenStages();
    addObjects(image, labels, newMask, neckDepth);
    await betweenStages();
    previousLevel = level;
  }
  grow(image, labels, previousLevel);
  await betweenStages();
  return trimEdges(image, labels, noise > SLIGHT_NOISE * contrast);
}

/**
 * The mask of new objects above `level`. If an object found at `previousLevel` was only a small
 * bright area of a dim object, its labels are removed in place and the dim object is new.
 */
function newObjects(
  { width, height, values }: GrayImage,
  labels: Int32Array,
  level: number,
  previousLevel: number,
): Uint8Array {
  const mask = new Uint8Array(values.length);
  for (let i = 0; i < mask.length; i++) mask[i] = (values[i] ?? 0) > level ? 1 : 0;
  const components = labelComponents(mask, width, height, 8);
  const labeled = new Int32Array(components.areas.length);
  const brightness = new Float64Array(components.areas.length);
  for (let i = 0; i < mask.length; i++) {
    const component = components.labels[i] ?? 0;
    if (component === 0 || labels[i] === 0) continue;
    labeled[component] = (labeled[component] ?? 0) + 1;
    brightness[component] = (brightness[component] ?? 0) + (values[i] ?? 0);
  }
  const isNew = (component: number) => {
    const pixels = labeled[component] ?? 0;
    return (
      pixels < 0.8 * (components.areas[component] ?? 0) &&
      (brightness[component] ?? 0) <= 1.3 * previousLevel * pixels
    );
  };
  for (let i = 0; i < mask.length; i++) {
    const component = components.labels[i] ?? 0;
    if (component === 0) continue;
    if (labeled[component] === 0 || isNew(component)) labels[i] = 0;
    else mask[i] = 0;
  }
  removeSmall(mask, components, MIN_OBJECT_AREA);
  // A dark gap between touching cells is not a hole in a cell, but a hole of a few pixels is noise.
  fillHoles(
    { mask, width, height, values },
    components,
    (mean, pixels) => mean > 0.6 * level || pixels <= SPECK,
  );
  return mask;
}

/** Splits the touching objects of a mask and adds the objects to the labels, in place. */
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

/** Grows labels, in place, by up to `HALO` pixels into unlabeled pixels above `level`. */
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
 * Estimates the standard deviation of an image's noise from the median difference between a pixel
 * and the mean of its four neighbors. Objects and uneven light hardly change this median.
 */
function estimateNoise({ width, height, values }: GrayImage): number {
  // Some 20,000 pixels are enough.
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)));
  const differences = new Float64Array(Math.ceil(width / stride) * Math.ceil(height / stride));
  let count = 0;
  for (let y = 1; y < height - 1; y += stride) {
    for (let x = 1; x < width - 1; x += stride) {
      const i = y * width + x;
      const neighborSum =
        (values[i - 1] ?? 0) + (values[i + 1] ?? 0) + (values[i - width] ?? 0) + (values[i + width] ?? 0);
      differences[count++] = Math.abs((values[i] ?? 0) - neighborSum / 4);
    }
  }
  const median = differences.subarray(0, count).sort()[count >> 1] ?? 0;
  // Dividing by 0.6745 turns a median deviation into a standard deviation. The difference between
  // one pixel and a mean of four has √1.25 times the standard deviation of a pixel.
  return median / 0.6745 / Math.sqrt(1.25);
}

/** Blurs in place with the kernel 1 4 6 4 1 (σ = 1 pixel); pixels at the border are repeated. */
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
  // The second pass blurs along columns, row by row. It needs copies of the two rows above.
  let secondAbove = values.slice(0, width);
  let firstAbove = secondAbove.slice();
  const last = (height - 1) * width;
  for (let row = 0; row < values.length; row += width) {
    const here = values.slice(row, row + width);
    const below = Math.min(row + width, last);
    const farther = Math.min(row + 2 * width, last);
    for (let x = 0; x < width; x++) {
      // At the bottom border, this row itself may be the repeated one: its copy has the old values.
      const firstBelow = below === row ? (here[x] ?? 0) : (values[below + x] ?? 0);
      const secondBelow = farther === row ? (here[x] ?? 0) : (values[farther + x] ?? 0);
      const outer = (secondAbove[x] ?? 0) + secondBelow;
      const inner = (firstAbove[x] ?? 0) + firstBelow;
      values[row + x] = (outer + 4 * inner + 6 * (here[x] ?? 0)) / 16;
    }
    secondAbove = firstAbove;
    firstAbove = here;
  }
}

/** Minimum contrast of objects, in standard deviations of the background; less is noise. */
const MIN_CONTRAST = 4.5;

/** Maximum number of brightness thresholds: one for the whole image, then for dimmer objects. */
const MAX_LEVELS = 3;
/** Minimum contrast of dim objects, as a share of the brightest objects' contrast. */
const MIN_BRIGHTNESS_RATIO = 0.07;

/** An object's light reaches this many pixels beyond its edge. */
const HALO = 4;

/** Values more standard deviations than this above the background's median aren't noise. */
const NOISE_LIMIT = 5;

/** Fewer bright pixels than this may be noise. */
const MIN_PIXELS = 20;

/**
 * Brightness thresholds of objects, descending; none if there is only noise. The first threshold is
 * for the whole image. Each further one is for the pixels away from the objects found so far.
 */
function objectLevels(image: GrayImage): number[] {
  const levels: number[] = [];
  let minContrast = 2 * image.step;
  let remaining = image.values;
  while (levels.length < MAX_LEVELS) {
    const next = bimodalLevel(remaining) ?? rareLevel(remaining);
    if (!next || next.contrast < minContrast) break;
    minContrast = Math.max(minContrast, MIN_BRIGHTNESS_RATIO * next.contrast);
    levels.push(next.level);
    remaining = awayFromObjects(image, next.level);
  }
  return levels;
}

interface Level {
  level: number;
  contrast: number;
}

/** Otsu's threshold; undefined if the groups it separates differ only by noise. */
function bimodalLevel(values: Float32Array): Level | undefined {
  const split = otsu(values);
  if (!split) return undefined;
  const contrast = split.highMean - split.lowMean;
  return contrast < MIN_CONTRAST * split.lowDeviation ? undefined : { level: split.threshold, contrast };
}

/**
 * A threshold for rare objects, for which Otsu's would split the background: half the mean
 * brightness of the pixels far above noise.
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

/** The values of pixels further than `HALO` from every pixel above the level. */
function awayFromObjects({ width, height, values }: GrayImage, level: number): Float32Array {
  const near = new Uint8Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    // Counts pixels since the last bright one, first from the left, then from the right.
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
  const awayValues = new Float32Array(values.length);
  let count = 0;
  // For each column, the number of near pixels in the rows up to `HALO` above and below.
  const nearInColumn = new Int32Array(width);
  for (let y = -HALO; y < height; y++) {
    const entering = (y + HALO) * width;
    const leaving = (y - HALO - 1) * width;
    for (let x = 0; x < width; x++) {
      let nearby = nearInColumn[x] ?? 0;
      if (y + HALO < height) nearby += near[entering + x] ?? 0;
      if (y > HALO) nearby -= near[leaving + x] ?? 0;
      nearInColumn[x] = nearby;
      if (y >= 0 && nearby === 0) awayValues[count++] = values[y * width + x] ?? 0;
    }
  }
  return awayValues.subarray(0, count);
}
