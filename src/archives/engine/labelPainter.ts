// Objects are painted from their runs, not from polygons or bitmaps: a painter that walks runs
// column by column reads each run once, in the order of memory, and skips runs between two samples.
// Where two objects meet, each pixel decides which is on top, so objects needn't be sorted.
import { CodedError } from '../../base/errors';
import { beneathInRuns } from '../labelRuns';
import type { ImageObjects } from './imageObjects';

/** The position of a tile in an image: at level n it covers 256 · 2^n image pixels a side. */
export interface TilePosition {
  level: number;
  x: number;
  y: number;
}

export interface LabelTile {
  /** Row-major, 0 or object + 1. */
  labels: Uint32Array<ArrayBuffer>;
  /** Whether two objects meet in a pixel; hidden ones count. */
  overlaps: boolean;
  /**
   * The labels that others cover, see beneathInRuns; absent if there are none or too many, or if
   * they weren't requested.
   */
  beneath?: Uint32Array<ArrayBuffer>;
}

/**
 * Where samples are taken: sample n of a row is in the image pixel at floor(left + n · step), and
 * likewise in columns; `step` ≥ 1.
 */
interface SampleGrid {
  left: number;
  top: number;
  step: number;
}

/** Runs in a line of the processor's cache. */
const RUNS_PER_LINE = 16;

/** The label of all hidden objects while painting. */
const HIDDEN = 0xffffffff;

/**
 * Maximum number of covered labels, equal to the pixels of a tile. More of them would make up most
 * of the tile's message.
 */
const MAX_BENEATH = 2 ** 16;

/**
 * Paints objects on a canvas, one sample per pixel. Any order gives the same labels; the order of
 * memory is the fastest.
 */
export class LabelPainter {
  private readonly inverse: number;
  private hasHidden = false;
  /**
   * Pixel and label of each covered label; undefined if they weren't requested, or are too many.
   */
  private beneath: number[] | undefined;
  overlaps = false;
  /** Stores the result of `prefetch`: V8 would remove the call if nothing used its result. */
  prefetched = 0;

  /**
   * Clears the canvas. Objects whose bit is set in `hidden` only count in `overlaps`.
   * `findsBeneath` collects covered labels; then no object may be hidden.
   */
  constructor(
    private readonly objects: ImageObjects,
    private readonly grid: SampleGrid,
    private readonly canvas: LabelCanvas,
    private readonly hidden?: Uint8Array,
    findsBeneath = false,
  ) {
    if (findsBeneath) this.beneath = [];
    canvas.clear();
    this.inverse = 1 / grid.step;
  }

  /**
   * Paints objects. Uses forEach: V8 would compile `paint` again within a loop, which takes as long
   * as painting thousands.
   */
  paintAll(objects: readonly number[]): void {
    this.prefetched ^= this.prefetch(objects);
    objects.forEach(this.paint, this);
  }

  /**
   * Loads objects into the processor's cache by reading one run of each line: `paint` would wait
   * for the memory of one object at a time, which takes longer than painting it.
   */
  private prefetch(objects: readonly number[]): number {
    const { runs, runStarts } = this.objects;
    let combined = 0;
    for (const object of objects) {
      const end = runStarts[object + 1] as number;
      for (let at = runStarts[object] as number; at < end; at += RUNS_PER_LINE)
        combined ^= runs[at] as number;
    }
    return combined;
  }

  /** Paints one object and returns whether any sample lies in it. */
  paint(object: number): boolean {
    const { boxes, runs, runStarts } = this.objects;
    const { left, top, step } = this.grid;
    const { width, height, stride, pixels } = this.canvas;
    const { inverse, hidden } = this;
    const x1 = boxes[object * 4] as number;
    const y1 = boxes[object * 4 + 1] as number;
    const x2 = boxes[object * 4 + 2] as number;
    const boxHeight = (boxes[object * 4 + 3] as number) - y1;
    const firstColumn = firstSample(x1, left, step, inverse);
    const lastColumn = Math.min(width, firstSample(x2, left, step, inverse));
    if (firstColumn >= lastColumn) return false;
    const firstRow = firstSample(y1, top, step, inverse);
    const lastRow = Math.min(height, firstSample(y1 + boxHeight, top, step, inverse));
    if (firstRow >= lastRow) return false;
    const isHidden = hidden !== undefined && isSet(hidden, object);
    if (isHidden) this.hasHidden = true;
    const label = isHidden ? HIDDEN : object + 1;
    if (step === 1) {
      const column = x1 - Math.floor(left);
      const row = y1 - Math.floor(top);
      const isWhole = column >= 0 && row >= 0 && column + x2 - x1 <= width && row + boxHeight <= height;
      if (isWhole) return this.paintWhole(object, label, row * stride + column, boxHeight);
    }
    const runsEnd = runStarts[object + 1] as number;
    let nextRun = runStarts[object] as number;
    // The first run of ones that ends after the sample. Like samples, its `start` and `end` count
    // the pixels of the box, column by column.
    let start = 0;
    let end = 0;
    let painted = false;
    for (let column = firstColumn; column < lastColumn; column++) {
      const columnStart = (Math.floor(left + column * step) - x1) * boxHeight - y1;
      for (let row = firstRow; row < lastRow; row++) {
        const sample = columnStart + Math.floor(top + row * step);
        for (; end <= sample && nextRun < runsEnd; nextRun += 2) {
          start = end + (runs[nextRun] as number);
          end = nextRun + 1 < runsEnd ? start + (runs[nextRun + 1] as number) : start;
        }
        if (sample < start || sample >= end) continue;
        const pixel = row * stride + column;
        if (pixels[pixel] === 0) pixels[pixel] = label;
        else this.paintAmongOthers(pixel, pixel + stride, label);
        painted = true;
      }
    }
    return painted;
  }

  /**
   * Paints an object if each pixel of its box is a sample; `corner` is the first one on the canvas.
   */
  private paintWhole(object: number, label: number, corner: number, boxHeight: number): boolean {
    const { runs, runStarts } = this.objects;
    const { stride } = this.canvas;
    const end = runStarts[object + 1] as number;
    let column = corner;
    let row = 0;
    let painted = false;
    for (let index = runStarts[object] as number; index < end; index += 2) {
      for (row += runs[index] as number; row >= boxHeight; row -= boxHeight) column++;
      let ones = index + 1 < end ? (runs[index + 1] as number) : 0;
      while (ones > 0) {
        const length = Math.min(ones, boxHeight - row);
        this.paintColumn(column + row * stride, column + (row + length) * stride, label);
        painted = true;
        ones -= length;
        row += length;
        if (row === boxHeight) {
          row = 0;
          column++;
        }
      }
    }
    return painted;
  }

  /**
   * Paints pixels one below the other, `start` (inclusive) to `end` (exclusive), positions on the
   * canvas.
   */
  private paintColumn(start: number, end: number, label: number): void {
    const { pixels, stride } = this.canvas;
    // Most pixels are still free: a loop for these alone is almost twice as fast.
    let pixel = start;
    for (; pixel < end && pixels[pixel] === 0; pixel += stride) pixels[pixel] = label;
    if (pixel < end) this.paintAmongOthers(pixel, end, label);
  }

  private paintAmongOthers(start: number, end: number, label: number): void {
    const { pixels, stride } = this.canvas;
    // Often many pixels in a row have the same label.
    let lastLabel = 0;
    let isCovered = false;
    for (let pixel = start; pixel < end; pixel += stride) {
      const paintedLabel = pixels[pixel] as number;
      if (paintedLabel !== 0) {
        if (paintedLabel !== lastLabel) isCovered = this.isCovered(label, paintedLabel);
        lastLabel = paintedLabel;
        if (this.beneath) this.addBeneath(pixel, isCovered ? label : paintedLabel);
        if (isCovered) continue;
      }
      pixels[pixel] = label;
    }
  }

  private addBeneath(pixel: number, label: number): void {
    const { beneath } = this;
    if (!beneath) return;
    if (beneath.length >= 2 * MAX_BENEATH) this.beneath = undefined;
    else beneath.push(pixel, label);
  }

  /** The covered labels, see beneathInRuns; undefined if there are none or too many. */
  finishBeneath(): Uint32Array<ArrayBuffer> | undefined {
    const { beneath } = this;
    if (!beneath || beneath.length === 0) return undefined;
    const { width, stride } = this.canvas;
    const count = beneath.length / 2;
    // Sorts by pixel. Sorting numbers is many times faster without a comparison function.
    const order = Float64Array.from({ length: count }, (_, index) => {
      const canvasPixel = beneath[2 * index] as number;
      const row = Math.floor(canvasPixel / stride);
      return (row * width + canvasPixel - row * stride) * count + index;
    }).sort();
    const sorted = new Uint32Array(2 * count);
    for (let index = 0; index < count; index++) {
      const key = order[index] as number;
      const pixel = Math.floor(key / count);
      const label = beneath[2 * (key - pixel * count) + 1] as number;
      // Inserts the label among those of its pixel, topmost first.
      let target = index;
      for (; target > 0 && sorted[2 * target - 2] === pixel; target--) {
        const earlierLabel = sorted[2 * target - 1] as number;
        if (liesAbove(this.objects, earlierLabel - 1, label - 1)) break;
        sorted[2 * target + 1] = earlierLabel;
      }
      sorted[2 * index] = pixel;
      sorted[2 * target + 1] = label;
    }
    return beneathInRuns(sorted);
  }

  /** Paints the sample nearest to an image pixel unless another object is there. */
  paintNearestSample(object: number, x: number, y: number): void {
    const { left, top } = this.grid;
    const { width, height, stride, pixels } = this.canvas;
    const column = Math.min(width - 1, Math.max(0, Math.round((x - left) * this.inverse)));
    const row = Math.min(height - 1, Math.max(0, Math.round((y - top) * this.inverse)));
    if (pixels[row * stride + column] === 0) pixels[row * stride + column] = object + 1;
  }

  /** A copy of the labels, row-major. */
  finish(): Uint32Array<ArrayBuffer> {
    const labels = this.canvas.copy();
    if (this.hasHidden)
      for (let index = 0; index < labels.length; index++) if (labels[index] === HIDDEN) labels[index] = 0;
    return labels;
  }

  /** Whether the label in a pixel covers one that is painted there later. Sets `overlaps`. */
  private isCovered(label: number, paintedLabel: number): boolean {
    this.overlaps = true;
    return (
      label === HIDDEN || (paintedLabel !== HIDDEN && liesAbove(this.objects, paintedLabel - 1, label - 1))
    );
  }
}

function isSet(bits: Uint8Array, index: number): boolean {
  return (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
}

/** The first sample at or after an image pixel. `inverse` is 1 / step. */
function firstSample(pixel: number, origin: number, step: number, inverse: number): number {
  if (pixel <= origin) return 0;
  const sample = Math.ceil((pixel - origin) * inverse) | 0;
  // Rounding may have made it one too large, or too small.
  if (origin + (sample - 1) * step >= pixel) return sample - 1;
  return origin + sample * step < pixel ? sample + 1 : sample;
}

/**
 * Whether the first of two objects is on top: the smaller one, or the lower number at equal areas.
 */
export function liesAbove({ areas }: ImageObjects, first: number, second: number): boolean {
  const difference = (areas[first] as number) - (areas[second] as number);
  return difference < 0 || (difference === 0 && first < second);
}

/**
 * Memory to paint labels in, reused for each tile. Rows are a little longer than needed: with rows
 * a power of two apart, the pixels of a column would evict each other from the processor's cache
 * (measured: 2.6 times slower).
 */
export class LabelCanvas {
  /** Labels, row-major, `stride` apart. */
  readonly pixels: Uint32Array;
  readonly stride: number;
  private readonly rows: Uint32Array[];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.stride = width + 8;
    this.pixels = new Uint32Array(this.stride * height);
    this.rows = Array.from({ length: height }, (_, y) =>
      this.pixels.subarray(y * this.stride, y * this.stride + width),
    );
  }

  clear(): void {
    this.pixels.fill(0);
  }

  /** A copy of the labels, row-major without gaps. */
  copy(): Uint32Array<ArrayBuffer> {
    const { width, height } = this;
    // Every byte is written below: skipping the clearing halves the time.
    const memory = Buffer.allocUnsafeSlow(width * height * 4).buffer;
    const labels = new Uint32Array(memory, 0, width * height);
    this.rows.forEach((row, y) => labels.set(row, y * width));
    return labels;
  }
}

/** Pixels. */
const MAX_THUMBNAIL_SIDE = 512;

export interface Thumbnail {
  width: number;
  height: number;
  /** Row-major, 0 or object + 1. */
  labels: Uint32Array<ArrayBuffer>;
  /** Row-major, 0 or class + 1. */
  classes: Uint16Array<ArrayBuffer>;
}

/**
 * A small version of the labels of a whole image, `size` pixels along its longer side but never
 * larger than the image. An object between the samples is shown at its box's center, below all
 * others.
 */
export function thumbnailOf(objects: ImageObjects, size: number): Thumbnail {
  if (!Number.isInteger(size) || size < 1 || size > MAX_THUMBNAIL_SIDE)
    throw new CodedError('bad-request', `A thumbnail has 1 to ${MAX_THUMBNAIL_SIDE} pixels a side`);
  const step = Math.max(1, Math.max(objects.width, objects.height) / size);
  const width = Math.max(1, Math.round(objects.width / step));
  const height = Math.max(1, Math.round(objects.height / step));
  const painter = new LabelPainter(
    objects,
    { left: step / 2, top: step / 2, step },
    new LabelCanvas(width, height),
  );
  const unsampled: number[] = [];
  for (let object = 0; object < objects.count; object++) if (!painter.paint(object)) unsampled.push(object);
  for (const object of unsampled) {
    const offset = object * 4;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = objects.boxes.subarray(offset, offset + 4);
    if (x1 < x2) painter.paintNearestSample(object, (x1 + x2) / 2, (y1 + y2) / 2);
  }
  const labels = painter.finish();
  const classes = new Uint16Array(labels.length);
  labels.forEach((label, index) => {
    if (label !== 0) classes[index] = (objects.classes[label - 1] as number) + 1;
  });
  return { width, height, labels, classes };
}
