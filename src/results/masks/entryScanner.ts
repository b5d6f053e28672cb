import { CodedError } from '../../base/errors';
import { JsonCursor, NeedsMoreBytes, NotJson } from '../../formats/jsonCursor';
import { isText, textOf } from './byteText';
import type { ClassNames } from './classNames';
import type { ImageObjects } from './imageObjects';
import { ObjectColumns } from './objectColumns';
import { ObjectRecords, type FrameSize, type RecordNotes } from './objectRecords';
import { noteUnreadable } from './unreadableObjects';

/** Longest single value or object record. */
const MAX_VALUE_BYTES = 256 * 1024 ** 2;
const MIN_PATIENCE = 8192;
/** Most pixels a side: 168 times the largest slides; walks over an image's columns stay short. */
const MAX_SIDE = 2 ** 24;

/** What a first walk over an entry found that the objects must be read anew with. */
export interface ScanHints {
  frame?: FrameSize;
  /** Keys are not in ascending order: they must be kept to find two that are the same. */
  keepKeys?: boolean;
}

export interface ScannedEntry extends RecordNotes {
  id?: string;
  filename?: string;
  objects: ImageObjects;
}

type Place = 'start' | 'first-member' | 'member' | 'after-member' | 'skip' | 'objects' | 'end';

/**
 * Reads the JSON of one image's entry (spec.md, "{image_id}_objects.json") from its bytes as they come, in memory for no
 * more than an object record at a time besides the runs. Members may come in any order, and the last of several of one
 * name counts.
 */
export class EntryScanner {
  private readonly cursor = new JsonCursor();
  private window = new Uint8Array(0);
  /** Bytes that must be there before a record is tried: most records then are, and none costs two tries. */
  private patience = MIN_PATIENCE;
  private place: Place = 'start';
  private width: unknown;
  private height: unknown;
  private id: string | undefined;
  private filename: string | undefined;
  private hasObjects = false;
  /** The frame the objects were read with. */
  private frame: FrameSize | undefined;
  private records: ObjectRecords | undefined;
  private isArray = false;
  private isFirst = true;
  private lastKey = -1;
  private keys = new Map<string, number>();
  private mustKeepKeys = false;

  /** `size` is the number of bytes there will be, as far as is known. */
  constructor(
    private readonly classNames: ClassNames,
    private readonly size: number,
    private readonly hints: ScanHints = {},
  ) {}

  /** Reads on; `bytes` may be changed afterwards. Throws `damaged-archive`, `too-many-objects`. */
  push(bytes: Uint8Array): void {
    this.take(bytes, false);
  }

  /** Whether nothing more need be pushed, because the entry must be read again with the hints of `finish`. */
  get isVain(): boolean {
    return this.mustKeepKeys;
  }

  /** After the last push: the entry, or what it must be read again with. Throws `damaged-archive`, `too-many-objects`. */
  finish(): ScannedEntry | ScanHints {
    this.take(new Uint8Array(0), true);
    if (this.mustKeepKeys) return { ...this.hints, keepKeys: true };
    const width = sideOf(this.width, 'width');
    const height = sideOf(this.height, 'height');
    if (!this.hasObjects) throw damaged('It has no map of objects.');
    if (!this.records || this.frame?.width !== width || this.frame.height !== height)
      return { ...this.hints, frame: { width, height } };
    return {
      ...(this.id !== undefined && { id: this.id }),
      ...(this.filename !== undefined && { filename: this.filename }),
      ...this.records.notes,
      objects: this.records.columns.finish(width, height),
    };
  }

  private take(bytes: Uint8Array, isLast: boolean): void {
    const { cursor } = this;
    const left = cursor.end - cursor.position;
    cursor.before += cursor.position;
    const size = left + bytes.length;
    if (size > MAX_VALUE_BYTES)
      throw new CodedError('too-many-objects', 'A value is too long', {
        reason: 'One of its objects is larger than 256 MB.',
      });
    const rest = this.window.subarray(cursor.position, cursor.end);
    if (this.window.length < size) this.window = new Uint8Array(size * 2);
    // Always the same kind of memory under the cursor: half as fast when it is now a Buffer, now an array.
    this.window.set(rest);
    this.window.set(bytes, left);
    cursor.bytes = this.window;
    cursor.position = 0;
    cursor.end = size;
    cursor.isLast = isLast;
    this.run();
  }

  private run(): void {
    const { cursor } = this;
    try {
      while (!this.mustKeepKeys) {
        if (this.place === 'end') {
          if (cursor.peek() >= 0) throw cursor.unexpected();
          return;
        }
        const { position } = cursor;
        if (!cursor.isLast && cursor.end - position < this.patience) return;
        try {
          this.step();
        } catch (error) {
          // What is skipped is taken up where it stopped, everything else from its beginning.
          if (error instanceof NeedsMoreBytes && this.place !== 'skip') cursor.position = position;
          throw error;
        }
      }
    } catch (error) {
      if (error instanceof NotJson) throw damaged(error.message);
      if (!(error instanceof NeedsMoreBytes)) throw error;
      // A record of many chunks is not tried anew with each of them.
      this.patience = Math.max(MIN_PATIENCE, 2 * (cursor.end - cursor.position));
    }
  }

  private step(): void {
    const { cursor } = this;
    switch (this.place) {
      case 'start':
        this.skipMark();
        if (cursor.peek() !== 123) throw damaged('It is not a JSON object.');
        cursor.position++;
        this.place = 'first-member';
        return;
      case 'first-member':
        if (cursor.takeIf(125)) this.place = 'end';
        else this.member();
        return;
      case 'member':
        this.member();
        return;
      case 'after-member':
        if (cursor.takeIf(44)) this.place = 'member';
        else {
          cursor.take(125);
          this.place = 'end';
        }
        return;
      case 'skip':
        cursor.skip();
        this.place = 'after-member';
        return;
      case 'objects':
        if (this.records) this.object(this.records);
        return;
      case 'end':
        return;
    }
  }

  /** A byte order mark at the very beginning. */
  private skipMark(): void {
    const { cursor } = this;
    if (cursor.before + cursor.position > 0) return;
    if (cursor.end < 3 && !cursor.isLast) throw new NeedsMoreBytes('It is too early to tell');
    if (cursor.end >= 3 && isText(cursor.bytes, 0, MARK)) cursor.position = 3;
  }

  private member(): void {
    const { cursor } = this;
    cursor.string();
    const name = this.text();
    cursor.take(58);
    const first = cursor.peek();
    switch (name) {
      case 'width':
        this.width = this.scalar(first);
        break;
      case 'height':
        this.height = this.scalar(first);
        break;
      case 'id':
        this.id = identifierOf(this.scalar(first));
        break;
      case 'filename':
        this.filename = identifierOf(this.scalar(first));
        break;
      case 'objects':
        this.objects(first);
        return;
      default:
        this.place = 'skip';
        cursor.restartSkip();
        return;
    }
    if (this.place !== 'skip') this.place = 'after-member';
  }

  /** A string or number; anything else is skipped. */
  private scalar(first: number): string | number | undefined {
    const { cursor } = this;
    if (first === 34) {
      cursor.string();
      return this.text();
    }
    if (first === 45 || (first >= 48 && first <= 57)) {
      const { position } = cursor;
      return Number(textOf(cursor.bytes, position, cursor.number()));
    }
    this.place = 'skip';
    cursor.restartSkip();
    return undefined;
  }

  private objects(first: number): void {
    const { cursor } = this;
    this.hasObjects = first === 123 || first === 91;
    this.frame = this.hints.frame ?? frameOf(this.width, this.height);
    this.records = undefined;
    if (!this.hasObjects || !this.frame) {
      this.place = 'skip';
      cursor.restartSkip();
      return;
    }
    cursor.position++;
    this.place = 'objects';
    this.records = new ObjectRecords(this.frame, this.classNames, new ObjectColumns(this.size));
    this.isArray = first === 91;
    this.isFirst = true;
    this.lastKey = -1;
    this.keys = new Map();
  }

  /** One object with the comma before it, or the end of them. */
  private object(records: ObjectRecords): void {
    const { cursor } = this;
    if (cursor.takeIf(this.isArray ? 93 : 125)) {
      this.place = 'after-member';
      return;
    }
    if (!this.isFirst) cursor.take(44);
    let key: string | number;
    if (this.isArray) key = this.lastKey + 1;
    else {
      key = this.key();
      cursor.take(58);
    }
    if (!this.hints.keepKeys && (typeof key === 'string' || key <= this.lastKey)) {
      this.mustKeepKeys = true;
      return;
    }
    const object = records.columns.count;
    const isRead = records.read(cursor, key);
    this.isFirst = false;
    if (typeof key === 'number') this.lastKey = key;
    if (this.hints.keepKeys) this.keepKey(records, key, isRead ? object : -1);
  }

  /** The key as a number where it is one, else its text. */
  private key(): string | number {
    const { cursor } = this;
    cursor.string();
    const { bytes, textStart, textEnd } = cursor;
    const length = textEnd - textStart;
    let value = 0;
    for (let at = textStart; at < textEnd; at++) {
      const code = bytes[at] ?? 0;
      if (code < 48 || code > 57) return this.text();
      value = value * 10 + code - 48;
    }
    const isPlain = length > 0 && length <= 15 && (length === 1 || bytes[textStart] !== 48);
    return isPlain ? value : this.text();
  }

  /** Of two objects under one key the last counts, as in any reader of JSON; the other is listed. */
  private keepKey(records: ObjectRecords, key: string | number, object: number): void {
    const earlier = this.keys.get(String(key));
    this.keys.set(String(key), object);
    if (earlier === undefined || earlier < 0) return;
    records.columns.drop(earlier);
    noteUnreadable(records.notes, String(key), 'another object further on has the same key');
  }

  /** The text of the string read last. */
  private text(): string {
    const { bytes, textStart, textEnd, hasEscapes } = this.cursor;
    if (!hasEscapes) return textOf(bytes, textStart, textEnd);
    return String(JSON.parse(textOf(bytes, textStart - 1, textEnd + 1)));
  }
}

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

function isSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE;
}

function frameOf(width: unknown, height: unknown): FrameSize | undefined {
  return isSide(width) && isSide(height) ? { width, height } : undefined;
}

function sideOf(value: unknown, name: string): number {
  if (!isSide(value)) throw damaged(`Its ${name} is not a number of pixels.`);
  return value;
}

function identifierOf(value: string | number | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : String(value);
}

function damaged(reason: string): CodedError {
  return new CodedError('damaged-archive', reason, { reason });
}
