import { Ascii } from '../../base/ascii';
import { isCoded } from '../../base/errors';
import type { JsonCursor } from '../../base/jsonCursor';
import { lastString, textOf } from '../../base/node/jsonMembers';
import { reason, type Reason, quoted } from '../../base/reasons';
import { FIRST_ROUNDED } from '../../columns/csv/csvNumber';
import type { UnreadableObjects } from '../masksSummary';
import { readObjectMask } from '../readObjectMask';
import { MAX_MASK_PIXELS } from '../runLengthEncoding';
import type { ClassIndex } from './classNames';
import type { Frame, ObjectColumns, ObjectFields } from './imageObjects';
import type { MasksKernel, SeenClass } from './masksKernel';
import { Field, RecordScanner, type RecordTemplate } from './recordScanner';

/** Size in pixels of the image whose objects are read. */
export interface FrameSize {
  width: number;
  height: number;
}

/** Anomalies of the objects of one image. */
export interface RecordNotes extends UnreadableObjects {
  /** Objects whose ID differs from their key. */
  idsOtherThanKeys: number;
  /** Objects that have no class. */
  withoutClass: number;
}

/**
 * Reads object records (docs/service.md, "Masks archive") from their bytes into columns. Records in
 * the service's form go from bytes to runs directly. Other records are parsed as JSON, and listed
 * as unreadable if that fails.
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
  private readonly seenClasses: SeenClass[] = [];
  private readonly scanner = new RecordScanner();
  /** The template that the kernel has. */
  private kernelTemplate: RecordTemplate | undefined;
  private kernelClassCount = 0;
  private isKernelReady = false;

  constructor(
    private readonly frame: FrameSize,
    private readonly classNames: ClassIndex,
    readonly columns: ObjectColumns,
  ) {}

  /**
   * Reads objects with a kernel, from the cursor up to the first that it rejects. `key` is the
   * previous object's key, or −1. Returns the last object's key; undefined if the kernel read
   * nothing.
   */
  readByKernel(kernel: MasksKernel, cursor: JsonCursor, key: number, isFirst: boolean): number | undefined {
    const { columns, notes, scanner } = this;
    if (cursor.bytes !== kernel.window || !this.prepare(kernel) || columns.isNearLimit) return undefined;
    const position = kernel.read(cursor.position, cursor.end, key, isFirst, columns.runCount);
    const { objects } = kernel;
    if (!objects) return undefined;
    columns.addAll(objects);
    scanner.templateRead();
    notes.idsOtherThanKeys += objects.idsOtherThanKeys;
    notes.withoutClass += objects.withoutClass;
    cursor.position = position;
    return objects.lastKey;
  }

  /** Gives a kernel the form of records and the classes; returns whether it can read them. */
  private prepare(kernel: MasksKernel): boolean {
    const { template } = this.scanner;
    const { frame, seenClasses } = this;
    if (template && (template !== this.kernelTemplate || seenClasses.length !== this.kernelClassCount)) {
      this.isKernelReady = kernel.begin(template, seenClasses, frame.width, frame.height);
      this.kernelTemplate = template;
      this.kernelClassCount = seenClasses.length;
    }
    return this.isKernelReady;
  }

  /**
   * Reads the record at the cursor and returns whether it became an object. Throws NotJson, and
   * NeedsMoreBytes, after which the cursor may be anywhere.
   */
  read(cursor: JsonCursor, key: string | number): boolean {
    cursor.peek();
    const start = cursor.position;
    if (this.scanner.scan(cursor) && this.addScanned(cursor.bytes, key)) return true;
    cursor.position = start;
    cursor.skipFromStart();
    const end = cursor.position;
    const record: unknown = JSON.parse(textOf(cursor.bytes, start, end));
    cursor.position = start;
    const id = idOf(record, cursor, String(key));
    cursor.position = end;
    return this.addParsed(record, id, String(key));
  }

  /** Adds the object that was scanned; false when it isn't in the usual form. */
  private addScanned(bytes: Uint8Array, key: string | number): boolean {
    const { frame, objectFrame, fields } = this;
    const scanned = this.scanner.fields;
    const { numbers } = scanned;
    const height = numbers[Field.Height] as number;
    const width = numbers[Field.Width] as number;
    const id = numbers[Field.Id] as number;
    if (scanned.countsStart < 0 || scanned.classStart < 0 || Number.isNaN(id)) return false;
    if (!(height > 0 && width > 0 && height * width <= MAX_MASK_PIXELS)) return false;
    let left = 0;
    let top = 0;
    if (height !== frame.height || width !== frame.width) {
      left = numbers[Field.Box] as number;
      top = numbers[Field.Box + 1] as number;
      const right = left + width;
      const bottom = top + height;
      if (numbers[Field.Box + 2] !== right || numbers[Field.Box + 3] !== bottom) return false;
      if (left < 0 || top < 0 || right > frame.width || bottom > frame.height) return false;
    }
    objectFrame.left = left;
    objectFrame.top = top;
    objectFrame.width = width;
    objectFrame.height = height;
    fields.id = id;
    fields.classIndex = this.classIndex(bytes);
    fields.score = scanned.score;
    if (!this.columns.addText(bytes, scanned.countsStart, scanned.countsEnd, objectFrame, fields))
      return false;
    if (id !== key && String(id) !== String(key)) this.notes.idsOtherThanKeys++;
    if (scanned.classStart === scanned.classEnd) this.notes.withoutClass++;
    return true;
  }

  /** The index of the scanned class; there are few names, so most were seen before. */
  private classIndex(bytes: Uint8Array): number {
    const { classStart, classEnd } = this.scanner.fields;
    const length = classEnd - classStart;
    for (let index = 0; index < this.seenClasses.length; index++) {
      const cached = this.seenClasses[index];
      if (cached?.bytes.length === length && hasBytesAt(bytes, classStart, cached.bytes)) return cached.index;
    }
    const name = bytes.slice(classStart, classEnd);
    const index = this.classNames.indexOf(textOf(name, 0, length));
    if (this.seenClasses.length < 64) this.seenClasses.push({ bytes: name, index });
    return index;
  }

  private addParsed(record: unknown, id: ObjectFields['id'], key: string): boolean {
    try {
      const mask = readObjectMask(record, this.frame.width, this.frame.height);
      const fields = record as Record<string, unknown>;
      const className = typeof fields['pred_class'] === 'string' ? fields['pred_class'] : '';
      const score = fields['model_score'];
      const classIndex = this.classNames.indexOf(className);
      this.columns.addMask(mask, { id, classIndex, score: typeof score === 'number' ? score : NaN });
      if (String(id) !== key) this.notes.idsOtherThanKeys++;
      if (className === '') this.notes.withoutClass++;
      return true;
    } catch (error) {
      if (!isCoded(error, 'damaged-archive')) throw error;
      noteUnreadable(this.notes, key, error.details.reason ?? quoted(error.message));
      return false;
    }
  }
}

/**
 * The ID of a parsed record, else its key. Where JSON.parse rounds the ID, it is read at the
 * cursor.
 */
function idOf(record: unknown, cursor: JsonCursor, key: string): ObjectFields['id'] {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
  if (typeof id !== 'number') return exactId(key);
  return Math.abs(id) < FIRST_ROUNDED ? id : exactId(writtenId(cursor) ?? key);
}

/** Whether the bytes from `start` on are those of a text. */
function hasBytesAt(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[start + index] !== text[index]) return false;
  return true;
}

/**
 * Maximum number of objects that JavaScript reads before a kernel that rejected some is tried
 * again.
 */
const MAX_WITHOUT_KERNEL = 255;

/** What was read: objects, their end, or a key out of order while keys aren't remembered. */
type Outcome = 'object' | 'end' | 'unordered-key';

/**
 * The objects of one image: records by key, or in an array, where positions are the keys. Ascending
 * keys have no duplicates; otherwise all keys must be remembered.
 */
export class ObjectMembers {
  private isFirst = true;
  private lastKey = -1;
  private readonly keys = new Map<string, number>();
  /** Number of objects for JavaScript to read before the kernel is tried again. */
  private readsBeforeKernel = 0;
  /** The next `readsBeforeKernel` if the kernel rejects an object. */
  private kernelBackoff = 0;

  /** The cursor is behind the opening brace or bracket. */
  constructor(
    private readonly cursor: JsonCursor,
    readonly records: ObjectRecords,
    private readonly isArray: boolean,
    private readonly rememberKeys: boolean,
    private readonly kernel?: MasksKernel,
  ) {}

  /**
   * Reads one or many objects with the comma before, or their end. Throws NotJson and
   * NeedsMoreBytes.
   */
  read(): Outcome {
    return this.readAhead() ? 'object' : this.readOne();
  }

  /** Reads objects by the kernel; false where JavaScript has to read the next one. */
  private readAhead(): boolean {
    const { kernel, cursor, records } = this;
    if (!kernel || this.isArray || this.rememberKeys) return false;
    if (this.readsBeforeKernel > 0) {
      this.readsBeforeKernel--;
      return false;
    }
    const key = records.readByKernel(kernel, cursor, this.lastKey, this.isFirst);
    if (key === undefined) {
      this.readsBeforeKernel = this.kernelBackoff;
      this.kernelBackoff = Math.min(MAX_WITHOUT_KERNEL, 2 * this.kernelBackoff + 1);
      return false;
    }
    this.kernelBackoff = 0;
    this.isFirst = false;
    this.lastKey = key;
    return true;
  }

  private readOne(): Outcome {
    const { cursor, records } = this;
    if (cursor.takeIf(this.isArray ? Ascii.CloseBracket : Ascii.CloseBrace)) return 'end';
    if (!this.isFirst) cursor.take(Ascii.Comma);
    let key: string | number;
    if (this.isArray) key = this.lastKey + 1;
    else {
      key = this.key();
      cursor.take(Ascii.Colon);
    }
    if (!this.rememberKeys && (typeof key === 'string' || key <= this.lastKey)) return 'unordered-key';
    const object = records.columns.count;
    const isRead = records.read(cursor, key);
    this.isFirst = false;
    if (typeof key === 'number') this.lastKey = key;
    if (this.rememberKeys) this.remember(key, isRead ? object : -1);
    return 'object';
  }

  /** The key as a number if it is one, else its text. */
  private key(): string | number {
    const { cursor } = this;
    cursor.string();
    const { bytes, textStart, textEnd } = cursor;
    const length = textEnd - textStart;
    let value = 0;
    for (let index = textStart; index < textEnd; index++) {
      const code = bytes[index] as number;
      if (code < Ascii.Zero || code > Ascii.Nine) return lastString(cursor);
      value = value * 10 + code - Ascii.Zero;
    }
    const isPlain = length > 0 && length <= 15 && (length === 1 || bytes[textStart] !== Ascii.Zero);
    return isPlain ? value : lastString(cursor);
  }

  /**
   * Of two objects with one key the last counts, as in JSON.parse; the other is listed as
   * unreadable.
   */
  private remember(key: string | number, object: number): void {
    const { records, keys } = this;
    const earlier = keys.get(String(key));
    keys.set(String(key), object);
    if (earlier === undefined || earlier < 0) return;
    records.columns.drop(earlier);
    noteUnreadable(records.notes, String(key), reason('A later object has the same key'));
  }
}

/** Longer integers are no IDs, and slow to read. */
const INTEGER = /^-?\d{1,1000}$/;

/**
 * An ID written as JSON or as a key: a bigint where the nearest double is another integer, NaN
 * where it is no number.
 */
function exactId(written: string): number | bigint {
  const value = Number(written);
  if (!(Math.abs(value) >= FIRST_ROUNDED) || !INTEGER.test(written)) return value;
  const integer = BigInt(written);
  return Number.isFinite(value) && BigInt(value) === integer ? value : integer;
}

/**
 * The text of the last `id` of the record at the cursor; undefined without one. The record must be
 * valid JSON.
 */
function writtenId(cursor: JsonCursor): string | undefined {
  let written: string | undefined;
  cursor.take(Ascii.OpenBrace);
  do {
    cursor.string();
    const isId = lastString(cursor) === 'id';
    cursor.take(Ascii.Colon);
    cursor.peek();
    const start = cursor.position;
    cursor.skipFromStart();
    if (isId) written = textOf(cursor.bytes, start, cursor.position);
  } while (cursor.takeIf(Ascii.Comma));
  return written;
}

/** Maximum number of unreadable objects listed per image. */
const MAX_LISTED = 1000;
/** Longer keys are shortened; those that the service writes are numbers. */
const MAX_KEY_CHARACTERS = 60;

/** Counts an object that couldn't be read, and lists it up to the limit. */
function noteUnreadable(objects: UnreadableObjects, key: string, reason: Reason): void {
  objects.unreadableCount++;
  if (objects.unreadable.length < MAX_LISTED) objects.unreadable.push({ key: shortenedKey(key), reason });
}

/** A copy: a substring would keep the whole text in memory. */
function shortenedKey(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return key;
  return `${Buffer.from(key.slice(0, MAX_KEY_CHARACTERS)).toString()}…`;
}
