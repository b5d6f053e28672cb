import { Pacer } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import type { ImageObjects } from '../../archives/engine/imageObjects';
import { treeOfBoxes } from '../../archives/engine/objectIndex';
import { tooManyObjects } from '../../archives/node/archiveContents';

/*
 * Counts the pixels that objects of two sets share. Only objects with overlapping boxes may share
 * pixels; for these, the runs are merged within the common columns. There is no bitmap, so the size
 * of an image doesn't matter.
 */

/** All pairs of objects that share pixels, by a, then by b. */
export interface Overlaps {
  count: number;
  /** The objects of each pair. */
  a: Uint32Array;
  b: Uint32Array;
  /** Number of shared pixels. */
  shared: Uint32Array;
}

/** Number of objects between two checks of the clock. */
const OBJECTS_PER_CHECK = 64;

/** Maximum number of pairs in an image: more are only possible if nearly all objects overlap. */
const MAX_PAIRS = 2 ** 22;

/** The pixels that objects of A share with objects of B, in the same image. Throws `cancelled`. */
export async function overlapsOf(a: ImageObjects, b: ImageObjects, signal?: AbortSignal): Promise<Overlaps> {
  const pairs = new GrowingPairs(Math.max(64, 4 * Math.min(a.count, b.count)));
  if (a.count === 0 || b.count === 0) return pairs.finish();
  const columnHeight = Math.max(bottomOf(a), bottomOf(b));
  const spansOfA = spansOf(a, columnHeight);
  const spansOfB = spansOf(b, columnHeight);
  const tree = treeOfBoxes(b);
  const pacer = new Pacer(signal);
  for (let object = 0; object < a.count; object++) {
    if (object % OBJECTS_PER_CHECK === 0 && pacer.isDue) await pacer.pause();
    const x1 = a.boxes[object * 4] as number;
    const x2 = a.boxes[object * 4 + 2] as number;
    if (x1 === x2) continue;
    const y1 = a.boxes[object * 4 + 1] as number;
    const y2 = a.boxes[object * 4 + 3] as number;
    const start = spansOfA.starts[object] as number;
    const end = spansOfA.starts[object + 1] as number;
    const candidates = tree.search(x1, y1, x2 - 1, y2 - 1);
    if (candidates.length > 1) candidates.sort((x, y) => x - y);
    for (const candidate of candidates) {
      const left = Math.max(x1, b.boxes[candidate * 4] as number) * columnHeight;
      const shared = sharedLength(
        spansOfA.ends,
        firstAfter(spansOfA.ends, start, end, left),
        end,
        spansOfB.ends,
        firstAfter(
          spansOfB.ends,
          spansOfB.starts[candidate] as number,
          spansOfB.starts[candidate + 1] as number,
          left,
        ),
        spansOfB.starts[candidate + 1] as number,
      );
      if (shared > 0) pairs.add(object, candidate, shared);
    }
  }
  return pairs.finish();
}

/** The bottom of the lowest object or the image; a file may lack the image's height. */
function bottomOf({ count, boxes, height }: ImageObjects): number {
  let bottom = height;
  for (let i = 3; i < count * 4; i += 4) bottom = Math.max(bottom, boxes[i] as number);
  return bottom;
}

/**
 * The column-major runs of all objects, as pixel positions x · height + y in a frame for both sets.
 * Span n is from ends[2n] up to, but without, ends[2n + 1]. The spans of object o start at
 * starts[o].
 */
interface Spans {
  starts: Uint32Array;
  ends: Float64Array;
}

function spansOf({ count, boxes, runs, runStarts }: ImageObjects, columnHeight: number): Spans {
  const starts = new Uint32Array(count + 1);
  // A run that continues in the next column of its box is another span there.
  let capacity = 0;
  for (let object = 0; object < count; object++) {
    const columns = (boxes[object * 4 + 2] as number) - (boxes[object * 4] as number);
    capacity += (((runStarts[object + 1] as number) - (runStarts[object] as number)) >> 1) + columns + 1;
  }
  const ends = new Float64Array(capacity * 2);
  let endCount = 0;
  for (let object = 0; object < count; object++) {
    const top = boxes[object * 4 + 1] as number;
    const height = (boxes[object * 4 + 3] as number) - top;
    const end = runStarts[object + 1] as number;
    /** The current column, as the position of its first row in the box; `row` counts from there. */
    let column = (boxes[object * 4] as number) * columnHeight + top;
    let row = 0;
    for (let run = runStarts[object] as number; run + 1 < end; run += 2) {
      row += runs[run] as number;
      if (row >= height) {
        const columns = row < 2 * height ? 1 : Math.floor(row / height);
        column += columns * columnHeight;
        row -= columns * height;
      }
      let remaining = runs[run + 1] as number;
      while (remaining > 0) {
        const length = remaining < height - row ? remaining : height - row;
        ends[endCount++] = column + row;
        ends[endCount++] = column + row + length;
        remaining -= length;
        row += length;
        if (row === height) {
          row = 0;
          column += columnHeight;
        }
      }
    }
    starts[object + 1] = endCount >> 1;
  }
  return { starts, ends };
}

/** The first span from `from` to `to` that ends after a position. */
function firstAfter(ends: Float64Array, from: number, to: number, position: number): number {
  if (from === to || (ends[2 * from + 1] as number) > position) return from;
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[2 * middle + 1] as number) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Number of pixels that two lists of spans share. */
function sharedLength(
  a: Float64Array,
  fromA: number,
  toA: number,
  b: Float64Array,
  fromB: number,
  toB: number,
): number {
  let i = 2 * fromA;
  let j = 2 * fromB;
  const endA = 2 * toA;
  const endB = 2 * toB;
  let shared = 0;
  while (i < endA && j < endB) {
    const startA = a[i] as number;
    const startB = b[j] as number;
    const stopA = a[i + 1] as number;
    const stopB = b[j + 1] as number;
    const start = startA > startB ? startA : startB;
    if (stopA < stopB) {
      if (stopA > start) shared += stopA - start;
      i += 2;
    } else {
      if (stopB > start) shared += stopB - start;
      j += 2;
    }
  }
  return shared;
}

/** Pairs of objects while they are collected. */
class GrowingPairs {
  private a: Uint32Array;
  private b: Uint32Array;
  private shared: Uint32Array;
  private count = 0;

  constructor(capacity: number) {
    this.a = new Uint32Array(capacity);
    this.b = new Uint32Array(capacity);
    this.shared = new Uint32Array(capacity);
  }

  add(a: number, b: number, shared: number): void {
    if (this.count === this.a.length) {
      if (this.count >= MAX_PAIRS)
        throw tooManyObjects(reason('More than {0} pairs of objects overlap', MAX_PAIRS));
      this.a = doubled(this.a);
      this.b = doubled(this.b);
      this.shared = doubled(this.shared);
    }
    this.a[this.count] = a;
    this.b[this.count] = b;
    this.shared[this.count++] = shared;
  }

  finish(): Overlaps {
    const { count } = this;
    return {
      count,
      a: this.a.slice(0, count),
      b: this.b.slice(0, count),
      shared: this.shared.slice(0, count),
    };
  }
}

function doubled(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
