import { type Crop, cropOf, fillHoles, labelComponents, labeledPixels } from './components';
import { squaredDistances } from './distances';
import type { GrayImage } from './grayImage';
import { robustSpread } from './statistics';

/** Objects with fewer pixels count as specks. */
export const MIN_OBJECT_AREA = 20;

/** An object's edge is at this share of the mean brightness of its brightest quarter. */
const EDGE_LEVEL = 0.42;

/** An object is out of focus if its edge has less than this share of the median steepness. */
const MIN_STEEPNESS_RATIO = 0.4;

/**
 * Minimum contrast of an object with its surroundings, as a share of its brightness above the
 * fitted background. Uneven light that the fit misses changes slowly, so it has less contrast.
 */
const MIN_EDGE_CONTRAST = 0.33;

/**
 * Minimum of an object's brightness (in standard deviations of the background) times the square
 * root of its area. An object with less may be noise. A dimmer object must be larger.
 */
const MIN_SIGNAL = 40;

interface TrimmedObject {
  label: number;
  crop: Crop;
  area: number;
  /** Mean of its brightest quarter. */
  brightness: number;
}

/**
 * Trims each object at about half its brightness: one threshold for all objects would leave bright
 * ones a halo. Fills small holes and keeps the largest component of each object. Drops specks,
 * noise, slopes of the background and objects out of focus. Numbers the remaining objects 1, 2, …
 * in the order of their first pixels. With `smooth`, also smooths outlines.
 */
export function trimEdges(image: GrayImage, labels: Int32Array, smooth: boolean): Int32Array {
  const { width, values } = image;
  const { pixels, starts, count } = labeledPixels(labels);
  const objects: TrimmedObject[] = [];
  for (let label = 1; label <= count; label++) {
    const objectPixels = pixels.subarray(starts[label] ?? 0, starts[label + 1] ?? 0);
    if (objectPixels.length < MIN_OBJECT_AREA) continue;
    const brightness = brightestQuarterMean(objectPixels, values);
    const brightPixels = objectPixels.filter(i => (values[i] ?? 0) >= EDGE_LEVEL * brightness);
    if (brightPixels.length < MIN_OBJECT_AREA) continue;
    const crop = cropOf(brightPixels, width);
    fillHoles(crop, labelComponents(crop.mask, crop.width, crop.height, 8));
    if (smooth) smoothOutline(crop);
    const area = keepLargest(crop);
    if (area >= MIN_OBJECT_AREA) objects.push({ label, crop, area, brightness });
  }
  return draw(objectsInFocus(image, objectsThatStandOut(image, labels, objects)), labels, width);
}

/** The objects that stand out from the noise and from their surroundings. */
function objectsThatStandOut(
  image: GrayImage,
  labels: Int32Array,
  objects: readonly TrimmedObject[],
): readonly TrimmedObject[] {
  const noise = robustSpread(unlabeledValues(image.values, labels)).deviation;
  const covered = new Uint8Array(labels.length);
  for (const { crop } of objects) forEachPixel(crop, image.width, i => (covered[i] = 1));
  return objects.filter(({ crop, area, brightness }) => {
    if (brightness * Math.sqrt(area) < MIN_SIGNAL * noise) return false;
    const contrast = edgeContrast(image, crop, covered);
    return contrast === undefined || contrast >= MIN_EDGE_CONTRAST * brightness;
  });
}

/** The values of pixels without a label. */
function unlabeledValues(values: Float32Array, labels: Int32Array): Float32Array {
  const background = new Float32Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (labels[i] === 0) background[count++] = values[i] ?? 0;
  return background.subarray(0, count);
}

/** The objects in focus: their edges, relative to their brightness, are about as steep as most. */
function objectsInFocus(image: GrayImage, objects: readonly TrimmedObject[]): readonly TrimmedObject[] {
  const steepness = objects.map(({ crop, brightness }) => edgeSteepness(image, crop) / brightness);
  const ordered = steepness.toSorted((a, b) => a - b);
  const softest = MIN_STEEPNESS_RATIO * (ordered[ordered.length >> 1] ?? 0);
  return objects.filter((_, i) => (steepness[i] ?? 0) >= softest);
}

/** Draws the objects on pixels free of other objects, labeled 1, 2, … by their first pixels. */
function draw(objects: readonly TrimmedObject[], labels: Int32Array, width: number): Int32Array {
  const drawn = new Int32Array(labels.length);
  const numbers = new Map<number, number>();
  for (const { label, crop } of objects) {
    forEachPixel(crop, width, i => {
      // A filled hole may contain another object.
      if (drawn[i] === 0 && (labels[i] === 0 || labels[i] === label)) drawn[i] = label;
    });
  }
  for (let i = 0; i < drawn.length; i++) {
    const label = drawn[i] ?? 0;
    if (label === 0) continue;
    const number = numbers.get(label) ?? numbers.size + 1;
    numbers.set(label, number);
    drawn[i] = number;
  }
  return drawn;
}

function forEachPixel(
  { x, y, width, height, mask }: Crop,
  imageWidth: number,
  visit: (i: number) => void,
): void {
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (mask[row * width + column] === 1) visit((y + row) * imageWidth + x + column);
    }
  }
}

/** Mean of the brightest quarter of an object's pixels. */
function brightestQuarterMean(pixels: Int32Array, values: Float32Array): number {
  const sorted = new Float32Array(pixels.length);
  for (let i = 0; i < pixels.length; i++) sorted[i] = values[pixels[i] ?? 0] ?? 0;
  sorted.sort();
  const quarter = sorted.subarray(Math.floor(sorted.length * 0.75));
  return quarter.reduce((sum, value) => sum + value, 0) / quarter.length;
}

/** Sets each pixel of a crop to the majority of its 3 × 3 neighborhood; runs twice. */
function smoothOutline(crop: Crop): void {
  const { width, height } = crop;
  for (let round = 0; round < 2; round++) {
    const oldMask = crop.mask.slice();
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let inside = 0;
        for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
          for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
            inside += oldMask[row * width + column] ?? 0;
          }
        }
        crop.mask[y * width + x] = inside >= 5 ? 1 : 0;
      }
    }
  }
}

/** Clears all but the largest 8-connected component, in place; returns its number of pixels. */
function keepLargest({ mask, width, height }: Crop): number {
  const { labels, areas } = labelComponents(mask, width, height, 8);
  let largest = 1;
  for (let label = 2; label < areas.length; label++) {
    if ((areas[label] ?? 0) > (areas[largest] ?? 0)) largest = label;
  }
  for (let i = 0; i < mask.length; i++) mask[i] = labels[i] === largest ? 1 : 0;
  return areas[largest] ?? 0;
}

/** Mean steepness of the image, per pixel, along the border of a crop's object. */
function edgeSteepness({ width, height, values }: GrayImage, crop: Crop): number {
  let sum = 0;
  let count = 0;
  const inside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < crop.width && y < crop.height && crop.mask[y * crop.width + x] === 1;
  for (let row = 0; row < crop.height; row++) {
    for (let column = 0; column < crop.width; column++) {
      if (!inside(column, row)) continue;
      const x = crop.x + column;
      const y = crop.y + row;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue;
      const left = inside(column - 1, row);
      const right = inside(column + 1, row);
      const above = inside(column, row - 1);
      const below = inside(column, row + 1);
      if (left && right && above && below) continue;
      const i = y * width + x;
      const across = (values[i + 1] ?? 0) - (values[i - 1] ?? 0);
      const down = (values[i + width] ?? 0) - (values[i - width] ?? 0);
      sum += Math.hypot(across, down) / 2;
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/**
 * How much brighter an object is along its edge than the background beside it: the difference of
 * the means of a band inside and a band outside its edge. Both bands are two pixels and a tenth of
 * the object's radius deep. Pixels of other objects (1 in `covered`) don't count; undefined if no
 * other pixels are beside the object.
 */
function edgeContrast(image: GrayImage, crop: Crop, covered: Uint8Array): number | undefined {
  const area = crop.mask.reduce((sum, inside) => sum + inside, 0);
  const depth = 2 + Math.round(0.1 * Math.sqrt(area / Math.PI));
  const width = crop.width + 2 * depth;
  const height = crop.height + 2 * depth;
  const mask = new Uint8Array(width * height);
  for (let row = 0; row < crop.height; row++) {
    const rowMask = crop.mask.subarray(row * crop.width, (row + 1) * crop.width);
    mask.set(rowMask, (row + depth) * width + depth);
  }
  const toOutside = squaredDistances(mask, width, height);
  const toInside = squaredDistances(
    mask.map(inside => 1 - inside),
    width,
    height,
  );
  const sums = { inside: 0, outside: 0 };
  const counts = { inside: 0, outside: 0 };
  for (let i = 0; i < mask.length; i++) {
    const side = mask[i] === 1 ? 'inside' : 'outside';
    if (((side === 'inside' ? toOutside : toInside)[i] ?? 0) > depth * depth) continue;
    const x = crop.x - depth + (i % width);
    const y = crop.y - depth + Math.floor(i / width);
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
    const position = y * image.width + x;
    if (side === 'outside' && covered[position] === 1) continue;
    sums[side] += image.values[position] ?? 0;
    counts[side]++;
  }
  if (counts.outside === 0) return undefined;
  return sums.inside / counts.inside - sums.outside / counts.outside;
}
