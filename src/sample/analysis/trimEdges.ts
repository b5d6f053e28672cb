import { fillHoles, labelComponents } from './components';
import type { GreyPicture } from './greyPicture';
import { cropOf, labelledPixels, type Crop } from './labelledPixels';

/** Objects with fewer pixels are taken for specks. */
export const SMALLEST_OBJECT = 20;

/** An object ends where its brightness falls below this share of what its brightest quarter has. */
const EDGE = 0.42;

/** Objects whose edges are this much less steep than those of the others (median) are out of focus. */
const SOFTEST = 0.4;

interface Trimmed {
  label: number;
  crop: Crop;
  /** Steepness of its edge as a share of its brightness per pixel. */
  steepness: number;
}

/**
 * Draws each object's edge at about the half height of its own brightness (one threshold for all gives bright objects
 * a halo), keeps its largest part, fills small holes, leaves out specks and what is out of focus, and numbers the rest
 * 1, 2, … by first pixel. With `smooth`, outlines that noise made ragged are evened.
 */
export function trimEdges(picture: GreyPicture, labels: Int32Array, smooth: boolean): Int32Array {
  const { width, values } = picture;
  const { pixels, starts, count } = labelledPixels(labels);
  const objects: Trimmed[] = [];
  for (let label = 1; label <= count; label++) {
    const own = pixels.subarray(starts[label] ?? 0, starts[label + 1] ?? 0);
    if (own.length < SMALLEST_OBJECT) continue;
    const brightness = brightestQuarter(own, values);
    const kept = own.filter(i => (values[i] ?? 0) >= EDGE * brightness);
    if (kept.length < SMALLEST_OBJECT) continue;
    const crop = cropOf(kept, width);
    fillHoles(crop, labelComponents(crop.mask, crop.width, crop.height, 8));
    if (smooth) evenOutline(crop);
    if (keepLargest(crop) < SMALLEST_OBJECT) continue;
    objects.push({ label, crop, steepness: edgeSteepness(picture, crop) / brightness });
  }
  const ordered = objects.map(({ steepness }) => steepness).sort((a, b) => a - b);
  const softest = SOFTEST * (ordered[ordered.length >> 1] ?? 0);
  return draw(
    objects.filter(({ steepness }) => steepness >= softest),
    labels,
    width,
  );
}

/** Draws the objects, where no other has been, with the numbers 1, 2, … in the order of their first pixels. */
function draw(objects: readonly Trimmed[], labels: Int32Array, width: number): Int32Array {
  const drawn = new Int32Array(labels.length);
  const numbers = new Map<number, number>();
  for (const { label, crop } of objects) {
    forEachPixel(crop, width, i => {
      // A filled hole may hold another object.
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
  pictureWidth: number,
  visit: (i: number) => void,
): void {
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (mask[row * width + column] === 1) visit((y + row) * pictureWidth + x + column);
    }
  }
}

/** Mean of the brightest quarter of an object's pixels. */
function brightestQuarter(own: Int32Array, values: Float32Array): number {
  const sorted = Float32Array.from(own, i => values[i] ?? 0).sort();
  const quarter = sorted.subarray(Math.floor(sorted.length * 0.75));
  return quarter.reduce((sum, value) => sum + value, 0) / quarter.length;
}

/** Mean steepness of the picture, per pixel, along the border of a crop's object. */
function edgeSteepness({ width, height, values }: GreyPicture, crop: Crop): number {
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

/** Gives each pixel of a crop, twice, what most of the nine around it are; beyond the crop nothing is inside. */
function evenOutline(crop: Crop): void {
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

/** Leaves, in place, the largest 8-connected part; gives its number of pixels. */
function keepLargest({ mask, width, height }: Crop): number {
  const { labels, areas } = labelComponents(mask, width, height, 8);
  let largest = 1;
  for (let part = 2; part < areas.length; part++) {
    if ((areas[part] ?? 0) > (areas[largest] ?? 0)) largest = part;
  }
  for (let i = 0; i < mask.length; i++) mask[i] = labels[i] === largest ? 1 : 0;
  return areas[largest] ?? 0;
}
