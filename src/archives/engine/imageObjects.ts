import type { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { tooManyObjects } from '../node/archiveContents';
import { areaOfTrimmed, type ObjectMask, type TrimmedBox, trimRuns } from '../objectMask';
import { CompressedRuns } from '../readObjectMask';
import { area } from '../runLengthEncoding';
import type { ReadObjects } from './masksKernel';

/** The decoded objects of one image, as columns; object n is the n-th that could be decoded. */
export interface ImageObjects {
  width: number;
  height: number;
  count: number;
  ids: Float64Array;
  /** The IDs by object that are other integers than their doubles in `ids`. */
  longIds: ReadonlyMap<number, bigint>;
  /** Index into the archive's classes. */
  classes: Uint16Array;
  /** NaN where the archive gives none. */
  scores: Float64Array;
  /** Tight box of each object: x1, y1, x2, y2 (exclusive); four per object. */
  boxes: Int32Array;
  /** Mask pixels. */
  areas: Float64Array;
  /**
   * Column-major runs in each box, object by object; the runs of object n begin at runStarts[n].
   */
  runs: Uint32Array;
  runStarts: Uint32Array;
}

/** The mask of one object, sharing the image's runs. */
export function maskOf(objects: ImageObjects, object: number): ObjectMask {
  const offset = object * 4;
  const x = objects.boxes[offset] ?? 0;
  const y = objects.boxes[offset + 1] ?? 0;
  return {
    x,
    y,
    width: (objects.boxes[offset + 2] ?? 0) - x,
    height: (objects.boxes[offset + 3] ?? 0) - y,
    runs: objects.runs.subarray(objects.runStarts[object], objects.runStarts[object + 1]),
  };
}

/** Limits of one image; its runs take up to a gigabyte. */
const MAX_OBJECTS = 2 ** 24;
const MAX_RUNS = 2 ** 28;
/** More than a kernel reads at once: this near the limits, JavaScript reads objects one by one. */
const NEAR_LIMIT = 2 ** 20;

/** Initial capacity for runs: the JSON of an image has about three in ten bytes. */
const RUNS_PER_BYTE = 0.3;
const MAX_FIRST_RUNS = 2 ** 25;

/** Capacity grows to the need of the whole JSON at the rate so far, and a bit more. */
const RESERVE_FACTOR = 1.04;
const MIN_GROWTH = 1.25;
const MAX_GROWTH = 16;

/** Initial capacity for objects: the JSON of one is rarely shorter than BYTES_PER_OBJECT. */
const MIN_CAPACITY = 16;
const MAX_FIRST_CAPACITY = 1024;
const BYTES_PER_OBJECT = 128;

/** Columns that fill this share of their capacity are used without a copy. */
const MIN_USED_SHARE = 0.75;

/** The part of the image that the runs of an object cover. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface ObjectFields {
  /** A bigint where a double would be another integer. */
  id: number | bigint;
  classIndex: number;
  /** NaN where there is none. */
  score: number;
}

/** Collects the objects of an image in growing columns. */
export class ObjectColumns {
  private ids: Float64Array;
  private readonly longIds = new Map<number, bigint>();
  private classes: Uint16Array;
  private scores: Float64Array;
  private boxes: Int32Array;
  private areas: Float64Array;
  private starts: Uint32Array;
  private runs: Uint32Array;
  private usedRuns = 0;
  private readonly trimmed: TrimmedBox = { x1: 0, y1: 0, x2: 0, y2: 0, area: 0 };
  private readonly decoder = new CompressedRuns();
  private readonly dropped = new Set<number>();
  count = 0;
  /** The share of the JSON that was read, 0…1, from which the final capacity is estimated. */
  share = 0;

  /** `bytes` is the length of the JSON. */
  constructor(bytes: number) {
    // An archive can have thousands of images with few objects each.
    const capacity = Math.max(
      MIN_CAPACITY,
      Math.min(MAX_FIRST_CAPACITY, Math.ceil(bytes / BYTES_PER_OBJECT)),
    );
    this.ids = new Float64Array(capacity);
    this.classes = new Uint16Array(capacity);
    this.scores = new Float64Array(capacity);
    this.boxes = new Int32Array(capacity * 4);
    this.areas = new Float64Array(capacity);
    this.starts = new Uint32Array(capacity + 1);
    this.runs = new Uint32Array(Math.min(MAX_FIRST_RUNS, Math.ceil(bytes * RUNS_PER_BYTE)));
  }

  /**
   * Adds an object whose runs are base64 text, in a frame of height × width with its corner at
   * (left, top). Returns false, and adds nothing, when they aren't in the usual form.
   */
  addText(bytes: Uint8Array, start: number, end: number, frame: Frame, fields: ObjectFields): boolean {
    const runsStart = this.reserve(end - start + 1);
    const { left, top, height, width } = frame;
    const runsEnd = this.decoder.decode(bytes, start, end, height * width, this.runs, runsStart);
    if (runsEnd < 0) return false;
    // Most archives give each mask in its own box.
    const wholeArea = areaOfTrimmed(this.runs, runsStart, runsEnd, height);
    if (wholeArea >= 0) {
      this.usedRuns = runsEnd;
      this.addRow(runsEnd - runsStart, fields, wholeArea);
      this.addBox(left, top, left + width, top + height);
      return true;
    }
    const { trimmed } = this;
    const trimmedEnd = trimRuns(this.runs, runsStart, runsEnd, height, trimmed);
    this.usedRuns = trimmedEnd;
    this.addRow(trimmedEnd - runsStart, fields, trimmed.area);
    this.addBox(left + trimmed.x1, top + trimmed.y1, left + trimmed.x2, top + trimmed.y2);
    return true;
  }

  get runCount(): number {
    return this.usedRuns;
  }

  /** Whether a million more objects or runs could be too many. */
  get isNearLimit(): boolean {
    return Math.max(this.count - MAX_OBJECTS, this.usedRuns - MAX_RUNS) > -NEAR_LIMIT;
  }

  /** Adds objects that a kernel read; the caller has checked that there is room. */
  addAll(objects: ReadObjects): void {
    const { count } = this;
    const end = count + objects.count;
    this.growTo(end);
    const runsStart = this.reserveRuns(objects.runs.length);
    this.ids.set(objects.ids, count);
    this.classes.set(objects.classes, count);
    this.scores.set(objects.scores, count);
    this.boxes.set(objects.boxes, 4 * count);
    this.areas.set(objects.areas, count);
    this.starts.set(objects.runEnds, count + 1);
    this.runs.set(objects.runs, runsStart);
    this.usedRuns += objects.runs.length;
    this.count = end;
  }

  /** Adds an object whose mask is decoded already. */
  addMask(mask: ObjectMask, fields: ObjectFields): void {
    // In two steps: `reserve` may replace the array.
    const runsStart = this.reserve(mask.runs.length);
    this.runs.set(mask.runs, runsStart);
    this.usedRuns += mask.runs.length;
    this.addRow(mask.runs.length, fields, area(mask.runs));
    this.addBox(mask.x, mask.y, mask.x + mask.width, mask.y + mask.height);
  }

  /** Removes an object when the columns are finished. */
  drop(object: number): void {
    this.dropped.add(object);
  }

  /** The objects added so far. They share memory with later ones. */
  soFar(width: number, height: number): ImageObjects {
    const { count, longIds } = this;
    return {
      width,
      height,
      count,
      ids: this.ids.subarray(0, count),
      longIds,
      classes: this.classes.subarray(0, count),
      scores: this.scores.subarray(0, count),
      boxes: this.boxes.subarray(0, count * 4),
      areas: this.areas.subarray(0, count),
      runs: this.runs.subarray(0, this.starts[count]),
      runStarts: this.starts.subarray(0, count + 1),
    };
  }

  finish(width: number, height: number): ImageObjects {
    if (this.dropped.size > 0) this.compact();
    const { count } = this;
    return {
      width,
      height,
      count,
      ids: withoutReserve(this.ids, count),
      longIds: this.longIds,
      classes: withoutReserve(this.classes, count),
      scores: withoutReserve(this.scores, count),
      boxes: withoutReserve(this.boxes, count * 4),
      areas: withoutReserve(this.areas, count),
      runs: withoutReserve(this.runs, this.starts[count] as number),
      runStarts: withoutReserve(this.starts, count + 1),
    };
  }

  private addBox(x1: number, y1: number, x2: number, y2: number): void {
    const offset = (this.count - 1) * 4;
    this.boxes[offset] = x1;
    this.boxes[offset + 1] = y1;
    this.boxes[offset + 2] = x2;
    this.boxes[offset + 3] = y2;
  }

  private addRow(runs: number, { id, classIndex, score }: ObjectFields, pixels: number): void {
    const object = this.count++;
    this.starts[object + 1] = (this.starts[object] as number) + runs;
    this.ids[object] = Number(id);
    if (typeof id === 'bigint') this.longIds.set(object, id);
    this.classes[object] = classIndex;
    this.scores[object] = score;
    this.areas[object] = pixels;
  }

  /** Makes room for one more object with `runs` runs; returns the position of its first run. */
  private reserve(runs: number): number {
    this.growTo(this.count + 1);
    return this.reserveRuns(runs);
  }

  private growTo(count: number): void {
    if (count <= this.ids.length) return;
    const capacity = this.capacityFor(count, MAX_OBJECTS);
    this.ids = enlarged(this.ids, new Float64Array(capacity));
    this.classes = enlarged(this.classes, new Uint16Array(capacity));
    this.scores = enlarged(this.scores, new Float64Array(capacity));
    this.boxes = enlarged(this.boxes, new Int32Array(capacity * 4));
    this.areas = enlarged(this.areas, new Float64Array(capacity));
    this.starts = enlarged(this.starts, new Uint32Array(capacity + 1));
  }

  private reserveRuns(runs: number): number {
    const needed = this.usedRuns + runs;
    if (needed > this.runs.length)
      this.runs = enlarged(this.runs, new Uint32Array(this.capacityFor(needed, MAX_RUNS)));
    return this.usedRuns;
  }

  /** Capacity for the whole JSON, estimated from the `needed` so far. */
  private capacityFor(needed: number, limit: number): number {
    if (needed > limit) throw tooManyInImage();
    const growth = Math.min(MAX_GROWTH, Math.max(MIN_GROWTH, RESERVE_FACTOR / this.share));
    return Math.min(limit, Math.ceil(needed * growth));
  }

  /**
   * Moves remaining objects together, towards the front: nothing is overwritten before it is read.
   */
  private compact(): void {
    const { count, boxes, runs } = this;
    const starts = this.starts;
    this.starts = new Uint32Array(starts.length);
    this.count = 0;
    for (let object = 0; object < count; object++) {
      if (this.dropped.has(object)) {
        this.longIds.delete(object);
        continue;
      }
      const oldStart = starts[object] as number;
      const end = starts[object + 1] as number;
      const start = this.starts[this.count] as number;
      runs.copyWithin(start, oldStart, end);
      boxes.copyWithin(this.count * 4, object * 4, object * 4 + 4);
      const fields = {
        id: this.longIds.get(object) ?? (this.ids[object] as number),
        classIndex: this.classes[object] as number,
        score: this.scores[object] as number,
      };
      this.longIds.delete(object);
      this.addRow(end - oldStart, fields, this.areas[object] as number);
    }
  }
}

/** Mostly without a copy: memory that was never written isn't taken from the machine. */
function withoutReserve<T extends Float64Array | Uint32Array | Int32Array | Uint16Array>(
  column: T,
  used: number,
): T {
  return (used >= column.length * MIN_USED_SHARE ? column.subarray(0, used) : column.slice(0, used)) as T;
}

function enlarged<T extends Float64Array | Uint32Array | Int32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function tooManyInImage(): CodedError {
  return tooManyObjects(reason('The image has more objects than can be opened at once'));
}
