import { CodedError } from '../../base/errors';
import { CompressedRuns } from '../../formats/compressedRuns';
import { area } from '../../formats/runLengthEncoding';
import { areaOfTrimmed, trimRuns, type ObjectMask, type TrimmedBox } from '../../formats/objectMask';
import type { ImageObjects } from './imageObjects';

/** Most objects and runs of one image: a gigabyte of runs. */
const MAX_OBJECTS = 2 ** 24;
const MAX_RUNS = 2 ** 28;

/** Runs in a block, but the first, which holds about as many as the JSON of an image has: three in ten bytes. */
const BLOCK = 2 ** 18;
const RUNS_PER_BYTE = 0.3;
const MAX_FIRST_BLOCK = 2 ** 23;

/** A block that is used to this part is kept as it is. */
const WELL_USED = 0.75;

/** Where the runs of an object count from, and how far. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface ObjectFields {
  id: number;
  classIndex: number;
  /** NaN where there is none. */
  score: number;
}

/** Collects the objects of an image in columns that grow. */
export class ObjectColumns {
  private capacity = 1024;
  private ids = new Float64Array(this.capacity);
  private classes = new Uint16Array(this.capacity);
  private scores = new Float64Array(this.capacity);
  private boxes = new Int32Array(this.capacity * 4);
  private areas = new Float64Array(this.capacity);
  private starts = new Uint32Array(this.capacity + 1);
  /** Runs come in blocks: to double one array again and again would copy them all and hold them twice. */
  private readonly fullBlocks: Uint32Array[] = [];
  private block: Uint32Array;
  private used = 0;
  private readonly trimmed: TrimmedBox = { x1: 0, y1: 0, x2: 0, y2: 0, area: 0 };
  private readonly decoder = new CompressedRuns();
  private readonly dropped = new Set<number>();
  count = 0;

  /** For the objects of so many bytes of JSON. */
  constructor(bytes: number) {
    this.block = new Uint32Array(Math.min(MAX_FIRST_BLOCK, Math.ceil(bytes * RUNS_PER_BYTE)));
  }

  /**
   * Adds an object whose runs, in a frame of height × width whose corner is (left, top), are base64 text; false, and
   * nothing added, when they need a closer look.
   */
  addText(bytes: Uint8Array, start: number, end: number, frame: Frame, fields: ObjectFields): boolean {
    const at = this.reserve(end - start + 1);
    const { left, top, height, width } = frame;
    const runsEnd = this.decoder.decode(bytes, start, end, height * width, this.block, at);
    if (runsEnd < 0) return false;
    // Most archives give each mask in its own box.
    const wholeArea = areaOfTrimmed(this.block, at, runsEnd, height);
    if (wholeArea >= 0) {
      this.used = runsEnd;
      this.put(runsEnd - at, fields, wholeArea);
      this.putBox(left, top, left + width, top + height);
      return true;
    }
    const { trimmed } = this;
    const trimmedEnd = trimRuns(this.block, at, runsEnd, height, trimmed);
    this.used = trimmedEnd;
    this.put(trimmedEnd - at, fields, trimmed.area);
    this.putBox(left + trimmed.x1, top + trimmed.y1, left + trimmed.x2, top + trimmed.y2);
    return true;
  }

  /** Adds an object whose mask is ready. */
  addMask(mask: ObjectMask, fields: ObjectFields): void {
    // In two steps: the block may become another one.
    const at = this.reserve(mask.runs.length);
    this.block.set(mask.runs, at);
    this.used += mask.runs.length;
    this.put(mask.runs.length, fields, area(mask.runs));
    this.putBox(mask.x, mask.y, mask.x + mask.width, mask.y + mask.height);
  }

  /** Takes an object out again. */
  drop(object: number): void {
    this.dropped.add(object);
  }

  finish(width: number, height: number): ImageObjects {
    const runs = this.joined();
    if (this.dropped.size > 0) this.compact(runs);
    const { count } = this;
    return {
      width,
      height,
      count,
      ids: this.ids.slice(0, count),
      classes: this.classes.slice(0, count),
      scores: this.scores.slice(0, count),
      boxes: this.boxes.slice(0, count * 4),
      areas: this.areas.slice(0, count),
      runs: this.dropped.size > 0 ? runs.slice(0, this.starts[count]) : runs,
      runStarts: this.starts.slice(0, count + 1),
    };
  }

  private joined(): Uint32Array {
    if (this.fullBlocks.length === 0 && this.used >= this.block.length * WELL_USED)
      return this.block.subarray(0, this.used);
    const runs = new Uint32Array(this.starts[this.count] ?? 0);
    let end = 0;
    for (const block of [...this.fullBlocks, this.block.subarray(0, this.used)]) {
      runs.set(block, end);
      end += block.length;
    }
    return runs;
  }

  private putBox(x1: number, y1: number, x2: number, y2: number): void {
    const at = (this.count - 1) * 4;
    this.boxes[at] = x1;
    this.boxes[at + 1] = y1;
    this.boxes[at + 2] = x2;
    this.boxes[at + 3] = y2;
  }

  private put(runs: number, { id, classIndex, score }: ObjectFields, pixels: number): void {
    const object = this.count++;
    this.starts[object + 1] = (this.starts[object] ?? 0) + runs;
    this.ids[object] = id;
    this.classes[object] = classIndex;
    this.scores[object] = score;
    this.areas[object] = pixels;
  }

  /** Makes room for one more object of so many runs, and tells where in the block they go. */
  private reserve(runs: number): number {
    if (this.count === this.capacity) {
      if (this.capacity >= MAX_OBJECTS) throw tooMany();
      this.capacity *= 2;
      this.ids = enlarged(this.ids, new Float64Array(this.capacity));
      this.classes = enlarged(this.classes, new Uint16Array(this.capacity));
      this.scores = enlarged(this.scores, new Float64Array(this.capacity));
      this.boxes = enlarged(this.boxes, new Int32Array(this.capacity * 4));
      this.areas = enlarged(this.areas, new Float64Array(this.capacity));
      this.starts = enlarged(this.starts, new Uint32Array(this.capacity + 1));
    }
    if (this.used + runs > this.block.length) {
      if ((this.starts[this.count] ?? 0) + runs > MAX_RUNS) throw tooMany();
      this.fullBlocks.push(this.block.subarray(0, this.used));
      this.block = new Uint32Array(Math.max(BLOCK, runs));
      this.used = 0;
    }
    return this.used;
  }

  /** Moves the objects that remain together, towards the front: what is still to be read stays as it is. */
  private compact(runs: Uint32Array): void {
    const { count, boxes } = this;
    const starts = this.starts;
    this.starts = new Uint32Array(starts.length);
    this.count = 0;
    for (let object = 0; object < count; object++) {
      if (this.dropped.has(object)) continue;
      const from = starts[object] ?? 0;
      const end = starts[object + 1] ?? 0;
      const start = this.starts[this.count] ?? 0;
      runs.copyWithin(start, from, end);
      boxes.copyWithin(this.count * 4, object * 4, object * 4 + 4);
      const fields = {
        id: this.ids[object] ?? 0,
        classIndex: this.classes[object] ?? 0,
        score: this.scores[object] ?? NaN,
      };
      this.put(end - from, fields, this.areas[object] ?? 0);
    }
  }
}

function enlarged<T extends Float64Array | Uint32Array | Int32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function tooMany(): CodedError {
  return new CodedError('too-many-objects', 'More objects than can be held', {
    reason: 'It holds more objects than can be opened at once.',
  });
}
