import { encode } from 'fast-png';
import { forEachColumnSpan, maskFromRuns, type ObjectMask } from '../../../../../src/archives/objectMask';
import { decodeCounts } from '../../../../../src/archives/runLengthEncoding';
import type { ObjectResult } from '../../../../../src/sample/node/analysis/analyzeImage';

export interface Disk {
  x: number;
  y: number;
  radius: number;
  value: number;
}

/** One value per pixel: `background`, and in it the disks, drawn without soft edges. */
export function drawn(
  width: number,
  height: number,
  disks: readonly Disk[],
  background: (x: number, y: number) => number = () => 20,
): Float64Array {
  return Float64Array.from({ length: width * height }, (_, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    return disks.find(disk => isInside(disk, x, y))?.value ?? background(x, y);
  });
}

export function isInside({ x, y, radius }: Disk, column: number, row: number): boolean {
  return (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2 <= radius * radius;
}

/** Pixels of a disk that lies inside the image. */
export function pixelsOf(disk: Disk): number {
  let pixels = 0;
  for (let y = Math.floor(disk.y - disk.radius); y <= disk.y + disk.radius; y++) {
    for (let x = Math.floor(disk.x - disk.radius); x <= disk.x + disk.radius; x++)
      if (isInside(disk, x, y)) pixels++;
  }
  return pixels;
}

/** Adds noise that is the same in every run, roughly normal with the given deviation. */
export function noisy(values: Float64Array, deviation: number): Float64Array {
  let state = 12345;
  const unit = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return values.map(value => value + deviation * (unit() + unit() + unit() + unit() - 2) * Math.sqrt(3));
}

export function grayPng(values: Float64Array, width: number, height: number, depth: 8 | 16 = 8): Uint8Array {
  const data =
    depth === 8 ? Uint8ClampedArray.from(values) : Uint16Array.from(values, value => Math.max(0, value));
  return encode({ width, height, data, channels: 1, depth });
}

export function maskOf(object: ObjectResult): ObjectMask {
  const [height, width] = object.rle.size;
  return maskFromRuns(decodeCounts(object.rle.counts, height, width), height, object.bbox[0], object.bbox[1]);
}

/** How many objects cover each pixel. */
export function coverage(objects: readonly ObjectResult[], width: number, height: number): Uint8Array {
  const covered = new Uint8Array(width * height);
  for (const object of objects) {
    forEachColumnSpan(maskOf(object), (x, y0, y1) => {
      for (let y = y0; y < y1; y++) covered[y * width + x] = (covered[y * width + x] ?? 0) + 1;
    });
  }
  return covered;
}
