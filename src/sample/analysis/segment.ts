import { setImmediate as otherWork } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/errors';
import { subtractBackground } from './background';
import { fillHoles, labelComponents, removeSmall } from './components';
import type { GreyPicture } from './greyPicture';
import { HALO, objectLevels } from './objectLevels';
import { otsu } from './otsu';
import { blur, estimateNoise } from './smoothing';
import { splitTouching } from './splitTouching';
import { SMALLEST_OBJECT, trimEdges } from './trimEdges';

/** Noise, as a share of the objects' contrast, up to which edges are kept as they are, and from which on it is strong. */
const CLEAN = 0.01;
const NOISY = 0.2;

/** Holes of so few pixels are filled however dark they are. */
const SPECK = 6;

/** How far the thinner of two joined objects has to stand above the neck, in pixels, for both to be objects. */
function neckDepth(peak: number): number {
  return Math.max(1, 0.12 * peak);
}

/**
 * Finds the bright objects of a picture and labels their pixels from 1 (0 is background); `picture` is changed: what
 * remains in it is the brightness above the background. A picture without objects has no labels.
 */
export async function segment(picture: GreyPicture, signal: AbortSignal): Promise<Int32Array> {
  const stage = async () => {
    await otherWork();
    throwIfCancelled(signal);
  };
  const noise = estimateNoise(picture);
  subtractBackground(picture);
  await stage();
  const split = otsu(picture.values);
  const contrast = split ? split.highMean - split.lowMean : 0;
  // Only as much smoothing as there is noise: a clean picture keeps its edges.
  if (noise > CLEAN * contrast) blur(picture);
  if (noise > NOISY * contrast) blur(picture);
  await stage();
  const levels = objectLevels(picture);
  await stage();
  const labels = new Int32Array(picture.values.length);
  let above = Infinity;
  for (const level of levels) {
    const fresh = newObjects(picture, labels, level, above);
    await stage();
    addObjects(picture, labels, fresh);
    await stage();
    above = level;
  }
  grow(picture, labels, above);
  await stage();
  return trimEdges(picture, labels, noise > CLEAN * contrast);
}

/**
 * The mask of what stands above `level` and is not labelled yet. Labels are taken back, in place, where no more than
 * scraps of a dim object stood out at the level before.
 */
function newObjects(
  { width, height, values }: GreyPicture,
  labels: Int32Array,
  level: number,
  above: number,
): Uint8Array {
  const mask = new Uint8Array(values.length);
  for (let i = 0; i < mask.length; i++) mask[i] = (values[i] ?? 0) > level ? 1 : 0;
  const parts = labelComponents(mask, width, height, 8);
  const labelled = new Int32Array(parts.areas.length);
  const brightness = new Float64Array(parts.areas.length);
  for (let i = 0; i < mask.length; i++) {
    const part = parts.labels[i] ?? 0;
    if (part === 0 || labels[i] === 0) continue;
    labelled[part] = (labelled[part] ?? 0) + 1;
    brightness[part] = (brightness[part] ?? 0) + (values[i] ?? 0);
  }
  const isNew = (part: number) => {
    const pixels = labelled[part] ?? 0;
    return pixels < 0.8 * (parts.areas[part] ?? 0) && (brightness[part] ?? 0) <= 1.3 * above * pixels;
  };
  for (let i = 0; i < mask.length; i++) {
    const part = parts.labels[i] ?? 0;
    if (part === 0) continue;
    if (labelled[part] === 0 || isNew(part)) labels[i] = 0;
    else mask[i] = 0;
  }
  removeSmall(mask, parts, SMALLEST_OBJECT);
  // What is dark between cells that touch is no hole in a cell; a few pixels are noise.
  fillHoles({ mask, width, height, values }, parts, (mean, pixels) => mean > 0.6 * level || pixels <= SPECK);
  return mask;
}

/** Splits the parts of a mask where they touch and adds them to the labels, in place. */
function addObjects({ width, height }: GreyPicture, labels: Int32Array, mask: Uint8Array): void {
  let last = 0;
  for (let i = 0; i < labels.length; i++) last = Math.max(last, labels[i] ?? 0);
  const added = splitTouching(mask, width, height, neckDepth);
  for (let i = 0; i < labels.length; i++) {
    // A filled hole may hold a brighter object.
    if (labels[i] === 0 && added[i] !== 0) labels[i] = last + (added[i] ?? 0);
  }
}

/** Lets labels spread, in place, into what stands above `level`, as far as an object's light does. */
function grow({ width, height, values }: GreyPicture, labels: Int32Array, level: number): void {
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
