import { squaredDistances } from './distances';
import type { GrayImage } from './grayImage';
import type { Crop } from './labeledPixels';

/** Mean steepness of the image, per pixel, along the border of a crop's object. */
export function edgeSteepness({ width, height, values }: GrayImage, crop: Crop): number {
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
 * How much brighter a crop's object is along its edge than the background beside it: means of two bands, each two
 * pixels and a tenth of the object's radius deep. Pixels of other objects (1 in `covered`) don't count; undefined
 * where nothing else is beside it.
 */
export function edgeContrast(image: GrayImage, crop: Crop, covered: Uint8Array): number | undefined {
  const area = crop.mask.reduce((sum, inside) => sum + inside, 0);
  const depth = 2 + Math.round(0.1 * Math.sqrt(area / Math.PI));
  const width = crop.width + 2 * depth;
  const height = crop.height + 2 * depth;
  const mask = new Uint8Array(width * height);
  for (let row = 0; row < crop.height; row++) {
    const own = crop.mask.subarray(row * crop.width, (row + 1) * crop.width);
    mask.set(own, (row + depth) * width + depth);
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
    const at = y * image.width + x;
    if (side === 'outside' && covered[at] === 1) continue;
    sums[side] += image.values[at] ?? 0;
    counts[side]++;
  }
  if (counts.outside === 0) return undefined;
  return sums.inside / counts.inside - sums.outside / counts.outside;
}
