import { CodedError } from '../../base/errors';
import { area } from '../../formats/runLengthEncoding';
import { trimRuns, type ObjectMask, type TrimmedBox } from '../../formats/objectMask';
import type { ImageObjects } from './imageObjects';

/** Most objects and runs of one image: a gigabyte of runs. */
const MAX_OBJECTS = 2 ** 24;
const MAX_RUNS = 2 ** 28;

/** Collects the objects of an image in columns that grow. */
export class ObjectColumns {
  private capacity = 1024;
  private ids = new Float64Array(this.capacity);
  private classes = new Uint16Array(this.capacity);
  private scores = new Float32Array(this.capacity);
  private boxes = new Int32Array(this.capacity * 4);
  private areas = new Float64Array(this.capacity);
  private starts = new Uint32Array(this.capacity + 1);
  private runs = new Uint32Array(16_384);
  private readonly trimmed: TrimmedBox = { x1: 0, y1: 0, x2: 0, y2: 0, area: 0 };
  private readonly dropped = new Set<number>();
  count = 0;

  /** Adds an object of `count` runs in a frame of `height` rows whose corner is (left, top). */
  addRuns(
    runs: Uint32Array,
    count: number,
    height: number,
    left: number,
    top: number,
    id: number,
    classIndex: number,
    score: number,
  ): void {
    const start = this.reserve(count + 1);
    const { trimmed } = this;
    const end = trimRuns(runs, count, height, this.runs, start, trimmed);
    this.put(end, id, classIndex, score, trimmed.area);
    this.putBox(left + trimmed.x1, top + trimmed.y1, left + trimmed.x2, top + trimmed.y2);
  }

  /** Adds an object whose mask is ready. */
  addMask(mask: ObjectMask, id: number, classIndex: number, score: number): void {
    const start = this.reserve(mask.runs.length);
    this.runs.set(mask.runs, start);
    this.put(start + mask.runs.length, id, classIndex, score, area(mask.runs));
    this.putBox(mask.x, mask.y, mask.x + mask.width, mask.y + mask.height);
  }

  /** Takes an object out again. */
  drop(object: number): void {
    this.dropped.add(object);
  }

  finish(width: number, height: number): ImageObjects {
    if (this.dropped.size > 0) this.compact();
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
      runs: this.runs.slice(0, this.starts[count]),
      runStarts: this.starts.slice(0, count + 1),
    };
  }

  private putBox(x1: number, y1: number, x2: number, y2: number): void {
    const at = (this.count - 1) * 4;
    this.boxes[at] = x1;
    this.boxes[at + 1] = y1;
    this.boxes[at + 2] = x2;
    this.boxes[at + 3] = y2;
  }

  private put(end: number, id: number, classIndex: number, score: number, pixels: number): void {
    const object = this.count++;
    this.starts[object + 1] = end;
    this.ids[object] = id;
    this.classes[object] = classIndex;
    this.scores[object] = score;
    this.areas[object] = pixels;
  }

  /** Makes room for one more object of so many runs, and tells where they go. */
  private reserve(runs: number): number {
    const start = this.starts[this.count] ?? 0;
    if (this.count === this.capacity) {
      if (this.capacity >= MAX_OBJECTS) throw tooMany();
      this.capacity *= 2;
      this.ids = enlarged(this.ids, new Float64Array(this.capacity));
      this.classes = enlarged(this.classes, new Uint16Array(this.capacity));
      this.scores = enlarged(this.scores, new Float32Array(this.capacity));
      this.boxes = enlarged(this.boxes, new Int32Array(this.capacity * 4));
      this.areas = enlarged(this.areas, new Float64Array(this.capacity));
      this.starts = enlarged(this.starts, new Uint32Array(this.capacity + 1));
    }
    if (start + runs > this.runs.length) {
      if (start + runs > MAX_RUNS) throw tooMany();
      const length = Math.max(start + runs, Math.ceil(this.runs.length * 1.5));
      this.runs = enlarged(this.runs, new Uint32Array(length));
    }
    return start;
  }

  /** Moves the objects that remain together, towards the front: what is still to be read stays as it is. */
  private compact(): void {
    const { count, boxes, runs } = this;
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
      const score = this.scores[object] ?? NaN;
      this.put(
        start + end - from,
        this.ids[object] ?? 0,
        this.classes[object] ?? 0,
        score,
        this.areas[object] ?? 0,
      );
    }
    this.dropped.clear();
  }
}

function enlarged<T extends Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array>(
  from: T,
  to: T,
): T {
  to.set(from);
  return to;
}

function tooMany(): CodedError {
  return new CodedError('too-many-objects', 'More objects than can be held', {
    reason: 'It holds more objects than can be opened at once.',
  });
}
