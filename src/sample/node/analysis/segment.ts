import { setImmediate as otherWork } from 'node:timers/promises';
import { throwIfCanceled } from '../../../base/errors';
import { subtractBackground } from './background';
import { fillHoles, labelComponents, removeSmall } from './components';
import type { GrayImage } from './grayImage';
import { HALO, objectLevels } from './objectLevels';
import { otsu } from './otsu';
import { blur, estimateNoise } from './smoothing';
import { splitTouching } from './splitTouching';
import { MIN_OBJECT_AREA, trimEdges } from './trimEdges';

/**
 * Noise as a share of the objects' contrast: below the first, edges aren't smoothed; from the second on it is strong.
 */
const CLEAN = 0.01;
const NOISY = 0.2;

/** Holes of at most this many pixels are filled however dark they are. */
const SPECK = 6;

/** How much the distance at the thinner object's center must exceed that at the neck, in pixels, to split them. */
function neckDepth(peak: number): number {
  return Math.max(1, 0.12 * peak);
}

/**
 * Finds the bright objects of an image and labels their pixels from 1 (0 is background); `image` is changed to
 * the brightness above the background. An image without objects has no labels.
 */
export async function segment(image: GrayImage, signal: AbortSignal): Promise<Int32Array> {
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
    addObjects(image, labels, fresh);
    await stage();
    above = level;
  }
  grow(image, labels, above);
  await stage();
  return trimEdges(image, labels, noise > CLEAN * contrast);
}

/**
 * The mask of pixels above `level` without a label. Labels of small parts of a dim object, found at the level
 * before, are removed in place.
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
function addObjects({ width, height }: GrayImage, labels: Int32Array, mask: Uint8Array): void {
  let last = 0;
  for (let i = 0; i < labels.length; i++) last = Math.max(last, labels[i] ?? 0);
  const added = splitTouching(mask, width, height, neckDepth);
  for (let i = 0; i < labels.length; i++) {
    // A filled hole may contain a brighter object.
    if (labels[i] === 0 && added[i] !== 0) labels[i] = last + (added[i] ?? 0);
  }
}

/** Grows labels, in place, into pixels above `level`, as far as an object's light reaches. */
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
