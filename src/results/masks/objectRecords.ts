import { isCoded } from '../../base/errors';
import type { JsonCursor } from '../../formats/jsonCursor';
import type { UnreadableObjects } from '../../formats/masksSummary';
import { readObjectMask } from '../../formats/objectMask';
import { MAX_MASK_PIXELS } from '../../formats/runLengthEncoding';
import type { ClassNames } from './classNames';
import type { Frame, ObjectColumns, ObjectFields } from './objectColumns';
import { noteUnreadable } from './unreadableObjects';

/** Size of the image whose objects are read. */
export interface FrameSize {
  width: number;
  height: number;
}

/** What was unusual about the objects of one image. */
export interface RecordNotes extends UnreadableObjects {
  /** Objects whose id is not their key, and whose class is not named. */
  idsOtherThanKeys: number;
  withoutClass: number;
}

/**
 * Reads object records (spec.md, "Object record") from their bytes into columns. A record as the service writes it goes
 * from bytes to runs directly; any other is parsed as JSON by itself, and if that is no object either, it is listed.
 */
export class ObjectRecords {
  readonly notes: RecordNotes = {
    unreadable: [],
    unreadableCount: 0,
    idsOtherThanKeys: 0,
    withoutClass: 0,
  };
  private readonly objectFrame: Frame = { left: 0, top: 0, width: 0, height: 0 };
  private readonly fields: ObjectFields = { id: 0, classIndex: 0, score: NaN };
  private readonly names: { bytes: Uint8Array; index: number }[] = [];
  // Fields of the record at hand; NaN and −1 stand for those it has not.
  private readonly box = new Float64Array(4);
  private readonly size = new Float64Array(2);
  private hasBox = false;
  private hasSize = false;
  private id = NaN;
  private score = NaN;
  private countsStart = -1;
  private countsEnd = -1;
  private classStart = -1;
  private classEnd = -1;

  constructor(
    private readonly frame: FrameSize,
    private readonly classNames: ClassNames,
    private readonly columns: ObjectColumns,
  ) {}

  /**
   * Reads the record the cursor stands at; tells whether it became an object. Throws NeedsMoreBytes (the cursor may stand
   * anywhere then) and NotJson.
   */
  read(cursor: JsonCursor, key: string | number): boolean {
    cursor.peek();
    const start = cursor.position;
    if (this.scan(cursor) && this.add(cursor.bytes, key)) return true;
    cursor.position = start;
    cursor.restartSkip();
    cursor.skip();
    return this.addParsed(JSON.parse(textOf(cursor.bytes, start, cursor.position)), String(key));
  }

  /** Finds the fields of the record; false when anything is not written in the usual way. */
  private scan(cursor: JsonCursor): boolean {
    this.hasBox = this.hasSize = false;
    this.id = this.score = NaN;
    this.countsStart = this.classStart = -1;
    if (!cursor.takeIf(123)) return false;
    if (cursor.takeIf(125)) return false;
    do {
      cursor.string();
      if (cursor.hasEscapes) return false;
      const { bytes, textStart } = cursor;
      const length = cursor.textEnd - textStart;
      cursor.take(58);
      if (length === 2 && isText(bytes, textStart, ID)) {
        this.id = cursor.integer();
        if (Number.isNaN(this.id)) return false;
      } else if (length === 4 && isText(bytes, textStart, BBOX)) {
        this.hasBox = readIntegers(cursor, this.box);
        if (!this.hasBox) return false;
      } else if (length === 3 && isText(bytes, textStart, RLE)) {
        if (!this.scanRle(cursor)) return false;
      } else if (length === 10 && isText(bytes, textStart, PRED_CLASS)) {
        if (cursor.peek() !== 34) return false;
        cursor.string();
        if (cursor.hasEscapes) return false;
        this.classStart = cursor.textStart;
        this.classEnd = cursor.textEnd;
      } else if (length === 11 && isText(bytes, textStart, MODEL_SCORE)) {
        const first = cursor.peek();
        if (first !== 45 && (first < 48 || first > 57)) return false;
        const start = cursor.position;
        this.score = Number(textOf(bytes, start, cursor.number()));
      } else {
        cursor.restartSkip();
        cursor.skip();
      }
    } while (cursor.takeIf(44));
    return cursor.takeIf(125);
  }

  private scanRle(cursor: JsonCursor): boolean {
    this.hasSize = false;
    this.countsStart = -1;
    if (!cursor.takeIf(123)) return false;
    do {
      if (cursor.peek() !== 34) return false;
      cursor.string();
      const { bytes, textStart } = cursor;
      const length = cursor.textEnd - textStart;
      cursor.take(58);
      if (length === 4 && isText(bytes, textStart, SIZE)) {
        this.hasSize = readIntegers(cursor, this.size);
        if (!this.hasSize) return false;
      } else if (length === 6 && isText(bytes, textStart, COUNTS)) {
        if (cursor.peek() !== 34) return false;
        cursor.opaqueString();
        this.countsStart = cursor.textStart;
        this.countsEnd = cursor.textEnd;
      } else return false;
    } while (cursor.takeIf(44));
    return cursor.takeIf(125);
  }

  /** Adds the object that was scanned; false when it needs a closer look. */
  private add(bytes: Uint8Array, key: string | number): boolean {
    if (!this.hasSize || this.countsStart < 0 || this.classStart < 0 || Number.isNaN(this.id)) return false;
    const height = this.size[0] ?? 0;
    const width = this.size[1] ?? 0;
    if (!(height > 0 && width > 0 && height * width <= MAX_MASK_PIXELS)) return false;
    let left = 0;
    let top = 0;
    if (height !== this.frame.height || width !== this.frame.width) {
      left = this.box[0] ?? 0;
      top = this.box[1] ?? 0;
      const right = left + width;
      const bottom = top + height;
      if (!this.hasBox || this.box[2] !== right || this.box[3] !== bottom) return false;
      if (left < 0 || top < 0 || right > this.frame.width || bottom > this.frame.height) return false;
    }
    const { objectFrame, fields } = this;
    objectFrame.left = left;
    objectFrame.top = top;
    objectFrame.width = width;
    objectFrame.height = height;
    fields.id = this.id;
    fields.classIndex = this.classIndex(bytes);
    fields.score = this.score;
    if (!this.columns.addText(bytes, this.countsStart, this.countsEnd, objectFrame, fields)) return false;
    if (this.id !== key && String(this.id) !== String(key)) this.notes.idsOtherThanKeys++;
    if (this.classStart === this.classEnd) this.notes.withoutClass++;
    return true;
  }

  /** The index of the class scanned; few have different names, and most objects the class of one before. */
  private classIndex(bytes: Uint8Array): number {
    const length = this.classEnd - this.classStart;
    for (let at = 0; at < this.names.length; at++) {
      const known = this.names[at];
      if (known?.bytes.length === length && isText(bytes, this.classStart, known.bytes)) return known.index;
    }
    const name = bytes.slice(this.classStart, this.classEnd);
    const index = this.classNames.indexOf(textOf(name, 0, length));
    if (this.names.length < 64) this.names.push({ bytes: name, index });
    return index;
  }

  private addParsed(record: unknown, key: string): boolean {
    try {
      const mask = readObjectMask(record, this.frame.width, this.frame.height);
      const fields = record as Record<string, unknown>;
      const id = typeof fields['id'] === 'number' ? fields['id'] : Number(key);
      const className = typeof fields['pred_class'] === 'string' ? fields['pred_class'] : '';
      const score = fields['model_score'];
      const classIndex = this.classNames.indexOf(className);
      this.columns.addMask(mask, { id, classIndex, score: typeof score === 'number' ? score : NaN });
      if (String(id) !== key) this.notes.idsOtherThanKeys++;
      if (className === '') this.notes.withoutClass++;
      return true;
    } catch (error) {
      if (!isCoded(error, 'damaged-archive')) throw error;
      noteUnreadable(this.notes, key, error.details.reason ?? error.message);
      return false;
    }
  }
}

/** UTF-8 text of some bytes. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** Whether the bytes from `start` on are those of the text. */
export function isText(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
  return true;
}

/** Reads an array of exactly so many whole numbers; false when it is something else. */
function readIntegers(cursor: JsonCursor, target: Float64Array): boolean {
  if (!cursor.takeIf(91)) return false;
  for (let i = 0; i < target.length; i++) {
    if (i > 0 && !cursor.takeIf(44)) return false;
    const value = cursor.integer();
    if (Number.isNaN(value)) return false;
    target[i] = value;
  }
  return cursor.takeIf(93);
}

const ID = Buffer.from('id');
const BBOX = Buffer.from('bbox');
const RLE = Buffer.from('rle');
const SIZE = Buffer.from('size');
const COUNTS = Buffer.from('counts');
const PRED_CLASS = Buffer.from('pred_class');
const MODEL_SCORE = Buffer.from('model_score');
