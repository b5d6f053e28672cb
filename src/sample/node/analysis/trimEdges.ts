import { fillHoles, labelComponents } from './components';
import type { GrayImage } from './grayImage';
import { cropOf, labeledPixels, type Crop } from './labeledPixels';
import { edgeContrast, edgeSteepness } from './objectEdges';
import { robustSpread } from './robustSpread';

/** Objects with fewer pixels count as specks. */
export const MIN_OBJECT_AREA = 20;

/** An object ends where its brightness falls below this share of the mean of its brightest quarter. */
const EDGE_LEVEL = 0.42;

/** Objects whose edges have less than this share of the median steepness are out of focus. */
const MIN_STEEPNESS_RATIO = 0.4;

/**
 * An object is brighter than what is beside it by at least this share of its brightness above the fitted background;
 * what is left of uneven light where the fit is wrong only slopes.
 */
const MIN_EDGE_CONTRAST = 0.33;

/**
 * An object's brightness, in standard deviations of the background, times the square root of its area: below this it may
 * be noise. The dimmer an object is, the larger it must be.
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
 * Trims each object at about half its own brightness (one threshold for all gives bright objects a halo), keeps its
 * largest part, fills small holes, drops specks, noise, slopes of the background and objects out of focus, and numbers
 * the rest 1, 2, … by first pixel. With `smooth`, outlines made ragged by noise are smoothed.
 */
export function trimEdges(image: GrayImage, labels: Int32Array, smooth: boolean): Int32Array {
  const { width, values } = image;
  const { pixels, starts, count } = labeledPixels(labels);
  const objects: TrimmedObject[] = [];
  for (let label = 1; label <= count; label++) {
    const own = pixels.subarray(starts[label] ?? 0, starts[label + 1] ?? 0);
    if (own.length < MIN_OBJECT_AREA) continue;
    const brightness = brightestQuarter(own, values);
    const kept = own.filter(i => (values[i] ?? 0) >= EDGE_LEVEL * brightness);
    if (kept.length < MIN_OBJECT_AREA) continue;
    const crop = cropOf(kept, width);
    fillHoles(crop, labelComponents(crop.mask, crop.width, crop.height, 8));
    if (smooth) smoothOutline(crop);
    const area = keepLargest(crop);
    if (area >= MIN_OBJECT_AREA) objects.push({ label, crop, area, brightness });
  }
  return draw(inFocus(image, distinct(image, labels, objects)), labels, width);
}

/** The objects that stand out from the noise and from what is beside them. */
function distinct(
  image: GrayImage,
  labels: Int32Array,
  objects: readonly TrimmedObject[],
): readonly TrimmedObject[] {
  const noise = robustSpread(image.values.filter((_, i) => labels[i] === 0)).deviation;
  const covered = new Uint8Array(labels.length);
  for (const { crop } of objects) forEachPixel(crop, image.width, i => (covered[i] = 1));
  return objects.filter(({ crop, area, brightness }) => {
    if (brightness * Math.sqrt(area) < MIN_SIGNAL * noise) return false;
    const contrast = edgeContrast(image, crop, covered);
    return contrast === undefined || contrast >= MIN_EDGE_CONTRAST * brightness;
  });
}

/** The objects whose edges, as a share of their brightness, are about as steep as most. */
function inFocus(image: GrayImage, objects: readonly TrimmedObject[]): readonly TrimmedObject[] {
  const steepness = objects.map(({ crop, brightness }) => edgeSteepness(image, crop) / brightness);
  const ordered = steepness.toSorted((a, b) => a - b);
  const softest = MIN_STEEPNESS_RATIO * (ordered[ordered.length >> 1] ?? 0);
  return objects.filter((_, i) => (steepness[i] ?? 0) >= softest);
}

/** Labels the objects, where no other is, with the numbers 1, 2, … in the order of their first pixels. */
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
function brightestQuarter(own: Int32Array, values: Float32Array): number {
  const sorted = Float32Array.from(own, i => values[i] ?? 0).sort();
  const quarter = sorted.subarray(Math.floor(sorted.length * 0.75));
  return quarter.reduce((sum, value) => sum + value, 0) / quarter.length;
}

/** Sets each pixel of a crop, twice, to the majority of its 3 × 3 neighborhood; pixels beyond the crop are outside. */
function smoothOutline(crop: Crop): void {
  const { width, height } = crop;
  for (let round = 0; round < 2; round++) {
    const before = crop.mask.slice();
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let inside = 0;
        for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
          for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
            inside += before[row * width + column] ?? 0;
          }
        }
        crop.mask[y * width + x] = inside >= 5 ? 1 : 0;
      }
    }
  }
}

/** Keeps, in place, only the largest 8-connected part; returns its number of pixels. */
function keepLargest({ mask, width, height }: Crop): number {
  const { labels, areas } = labelComponents(mask, width, height, 8);
  let largest = 1;
  for (let part = 2; part < areas.length; part++) {
    if ((areas[part] ?? 0) > (areas[largest] ?? 0)) largest = part;
  }
  for (let i = 0; i < mask.length; i++) mask[i] = labels[i] === largest ? 1 : 0;
  return areas[largest] ?? 0;
}
