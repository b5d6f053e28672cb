import { CodedError, isCoded } from '../../base/errors';
import { readObjectMask, type ObjectMask } from '../../formats/objectMask';
import { area } from '../../formats/runLengthEncoding';
import { Pacer } from '../slices';
import type { ClassNames } from './classNames';

const MAX_SIDE = 2 ** 31 - 1;

/** The decoded objects of one image, as columns; object n is the n-th that could be decoded. */
export interface ImageObjects {
  width: number;
  height: number;
  count: number;
  ids: Float64Array;
  /** Index into the archive's classes. */
  classes: Uint16Array;
  /** NaN where the archive gives none. */
  scores: Float32Array;
  /** Tight box of each object: x1, y1, x2, y2 (exclusive); four per object. */
  boxes: Int32Array;
  /** Mask pixels. */
  areas: Float64Array;
  /** Column-major runs inside each box, one object after the other; those of n begin at runStarts[n]. */
  runs: Uint32Array;
  runStarts: Uint32Array;
}

export interface ImageEntry {
  id: string;
  filename: string;
  objects: ImageObjects;
  unreadable: { key: string; reason: string }[];
  /** Objects whose id is not their key, and whose class is not named. */
  idsOtherThanKeys: number;
  withoutClass: number;
}

/**
 * Reads the JSON of one image's entry; spec.md, "Masks archive". An object that cannot be read is listed with its reason
 * and costs nothing but itself. Throws `damaged-archive` when the entry as a whole makes no sense.
 */
export async function readImageEntry(
  text: string,
  entryId: string,
  classNames: ClassNames,
  signal?: AbortSignal,
): Promise<ImageEntry> {
  const image = parse(text);
  const width = side(image['width'], 'width');
  const height = side(image['height'], 'height');
  const records = image['objects'];
  if (typeof records !== 'object' || records === null) throw damaged('It has no map of objects.');
  const result: Omit<ImageEntry, 'objects'> = {
    id: identifier(image['id']) ?? entryId,
    filename: identifier(image['filename']) ?? identifier(image['id']) ?? entryId,
    unreadable: [],
    idsOtherThanKeys: 0,
    withoutClass: 0,
  };
  const columns = new Columns();
  const pacer = new Pacer(signal);
  for (const [key, record] of Object.entries(records as Record<string, unknown>)) {
    if (pacer.isDue) await pacer.pause();
    try {
      const mask = readObjectMask(record, width, height);
      const fields = record as Record<string, unknown>;
      const id = typeof fields['id'] === 'number' ? fields['id'] : Number(key);
      const className = typeof fields['pred_class'] === 'string' ? fields['pred_class'] : '';
      const classIndex = classNames.indexOf(className);
      if (String(id) !== key) result.idsOtherThanKeys++;
      if (className === '') result.withoutClass++;
      const score = fields['model_score'];
      columns.add(mask, id, classIndex, typeof score === 'number' ? score : NaN);
    } catch (error) {
      if (!isCoded(error)) throw error;
      result.unreadable.push({ key, reason: error.details.reason ?? error.message });
    }
  }
  return { ...result, objects: columns.finish(width, height) };
}

/** The mask of one object, sharing the image's runs. */
export function maskOf(objects: ImageObjects, object: number): ObjectMask {
  const at = object * 4;
  const x = objects.boxes[at] ?? 0;
  const y = objects.boxes[at + 1] ?? 0;
  return {
    x,
    y,
    width: (objects.boxes[at + 2] ?? 0) - x,
    height: (objects.boxes[at + 3] ?? 0) - y,
    runs: objects.runs.subarray(objects.runStarts[object], objects.runStarts[object + 1]),
  };
}

/** Collects objects until their number is known. */
class Columns {
  private readonly ids: number[] = [];
  private readonly classes: number[] = [];
  private readonly scores: number[] = [];
  private readonly boxes: number[] = [];
  private readonly areas: number[] = [];
  private readonly starts: number[] = [0];
  private runs = new Uint32Array(4096);

  add(mask: ObjectMask, id: number, classIndex: number, score: number): void {
    const start = this.starts.at(-1) ?? 0;
    const end = start + mask.runs.length;
    if (end > this.runs.length) {
      const larger = new Uint32Array(Math.max(end, this.runs.length * 2));
      larger.set(this.runs);
      this.runs = larger;
    }
    this.runs.set(mask.runs, start);
    this.starts.push(end);
    this.ids.push(id);
    this.classes.push(classIndex);
    this.scores.push(score);
    this.boxes.push(mask.x, mask.y, mask.x + mask.width, mask.y + mask.height);
    this.areas.push(area(mask.runs));
  }

  finish(width: number, height: number): ImageObjects {
    return {
      width,
      height,
      count: this.ids.length,
      ids: Float64Array.from(this.ids),
      classes: Uint16Array.from(this.classes),
      scores: Float32Array.from(this.scores),
      boxes: Int32Array.from(this.boxes),
      areas: Float64Array.from(this.areas),
      runs: this.runs.slice(0, this.starts.at(-1)),
      runStarts: Uint32Array.from(this.starts),
    };
  }
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`It is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw damaged('It is not a JSON object.');
  return value as Record<string, unknown>;
}

function side(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MAX_SIDE)
    throw damaged(`Its ${name} is not a number of pixels.`);
  return value;
}

function identifier(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function damaged(reason: string): CodedError {
  return new CodedError('damaged-archive', reason, { reason });
}
