import { Ascii } from '../../base/ascii';
import type { JsonCursor } from '../../base/jsonCursor';
import { textOf } from '../../base/node/jsonMembers';

/** Maximum records in a row that the kernel rejects before the template is replaced. */
const MAX_MISSES = 8;

/** Maximum templates of an image: if all records differ, more templates don't help. */
const MAX_TEMPLATES = 8;

/**
 * Finds the fields of object records (docs/service.md, "Masks archive") among their bytes, token by
 * token, without strings or objects. kernel/masksKernel.as reads most records in WebAssembly, by
 * the template of a record read here. This class is the kernel's reference, and reads the other
 * records.
 */
export class RecordScanner {
  readonly fields = new RecordFields();
  private currentTemplate: RecordTemplate | undefined;
  private templateCount = 0;
  private misses = 0;
  /** Field, start and end of each value of the record read last by tokens. */
  private readonly values: number[] = [];

  /**
   * Reads the record at the cursor into `fields`; false if its form isn't the usual one. Throws
   * NeedsMoreBytes and NotJson.
   */
  scan(cursor: JsonCursor): boolean {
    const { fields } = this;
    const start = cursor.position;
    fields.clear();
    this.values.length = 0;
    if (!this.scanTokens(cursor)) return false;
    const isDue =
      this.templateCount === 0 || (++this.misses > MAX_MISSES && this.templateCount < MAX_TEMPLATES);
    const template = isDue ? templateOf(cursor.bytes, start, cursor.position, this.values) : undefined;
    if (template) {
      this.currentTemplate = template;
      this.templateCount++;
      this.misses = 0;
    }
    return true;
  }

  /**
   * The form of most records so far; undefined before the first. A new template is a new object.
   */
  get template(): RecordTemplate | undefined {
    return this.currentTemplate;
  }

  /** Records were read by the template: a few others between them don't replace it. */
  templateRead(): void {
    this.misses = 0;
  }

  private scanTokens(cursor: JsonCursor): boolean {
    const { fields } = this;
    if (!cursor.takeIf(Ascii.OpenBrace)) return false;
    if (cursor.takeIf(Ascii.CloseBrace)) return false;
    do {
      cursor.string();
      if (cursor.hasEscapes) return false;
      cursor.take(Ascii.Colon);
      if (cursor.isText(ID)) {
        if (!this.integer(cursor, Field.Id)) return false;
      } else if (cursor.isText(BBOX)) {
        if (!this.integers(cursor, Field.Box, 4)) return false;
      } else if (cursor.isText(RLE)) {
        if (!this.scanRle(cursor)) return false;
      } else if (cursor.isText(PRED_CLASS)) {
        if (cursor.peek() !== Ascii.Quote) return false;
        cursor.string();
        if (cursor.hasEscapes) return false;
        fields.classStart = cursor.textStart;
        fields.classEnd = cursor.textEnd;
        this.values.push(Field.ClassName, fields.classStart, fields.classEnd);
      } else if (cursor.isText(MODEL_SCORE)) {
        if (!beginsNumber(cursor.peek())) return false;
        const start = cursor.position;
        fields.score = readNumber(cursor);
        this.values.push(Field.Score, start, cursor.position);
      } else {
        cursor.peek();
        const start = cursor.position;
        cursor.skipFromStart();
        this.values.push(Field.Other, start, cursor.position);
      }
    } while (cursor.takeIf(Ascii.Comma));
    return cursor.takeIf(Ascii.CloseBrace);
  }

  private scanRle(cursor: JsonCursor): boolean {
    const { fields } = this;
    fields.numbers[Field.Height] = fields.numbers[Field.Width] = NaN;
    fields.countsStart = -1;
    if (!cursor.takeIf(Ascii.OpenBrace)) return false;
    do {
      if (cursor.peek() !== Ascii.Quote) return false;
      cursor.string();
      cursor.take(Ascii.Colon);
      if (cursor.isText(SIZE)) {
        if (!this.integers(cursor, Field.Height, 2)) return false;
      } else if (cursor.isText(COUNTS)) {
        if (cursor.peek() !== Ascii.Quote) return false;
        cursor.opaqueString();
        fields.countsStart = cursor.textStart;
        fields.countsEnd = cursor.textEnd;
        this.values.push(Field.Counts, fields.countsStart, fields.countsEnd);
      } else return false;
    } while (cursor.takeIf(Ascii.Comma));
    return cursor.takeIf(Ascii.CloseBrace);
  }

  /** Reads an array of exactly `count` whole numbers; false when it is anything else. */
  private integers(cursor: JsonCursor, firstField: Field, count: number): boolean {
    if (!cursor.takeIf(Ascii.OpenBracket)) return false;
    for (let i = 0; i < count; i++) {
      if (i > 0 && !cursor.takeIf(Ascii.Comma)) return false;
      if (!this.integer(cursor, firstField + i)) return false;
    }
    return cursor.takeIf(Ascii.CloseBracket);
  }

  private integer(cursor: JsonCursor, field: number): boolean {
    cursor.peek();
    const start = cursor.position;
    const value = cursor.integer();
    this.fields.numbers[field] = value;
    this.values.push(field, start, cursor.position);
    return !Number.isNaN(value);
  }
}

const ID = Buffer.from('id');
const BBOX = Buffer.from('bbox');
const RLE = Buffer.from('rle');
const SIZE = Buffer.from('size');
const COUNTS = Buffer.from('counts');
const PRED_CLASS = Buffer.from('pred_class');
const MODEL_SCORE = Buffer.from('model_score');

/** Maximum values of a template, and bytes between two of them. */
const MAX_TEMPLATE_VALUES = 64;
const MAX_TEMPLATE_GAP = 1024;

/**
 * Common parts of records in one form: one program writes an archive, so the same bytes stand
 * between the values of each record.
 */
export interface RecordTemplate {
  /** The field of each value. */
  values: Uint8Array;
  /** The bytes before each value and after the last, joined, and the end of each of these parts. */
  gaps: Uint8Array;
  gapEnds: Uint32Array;
}

/**
 * The template of a record, unless a member is repeated or there are too many. `values` holds
 * field, start and end of each value.
 */
function templateOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  values: readonly number[],
): RecordTemplate | undefined {
  const fields: Field[] = [];
  const gaps: number[] = [];
  const gapEnds: number[] = [];
  let position = start;
  for (let index = 0; index < values.length; index += 3) {
    const field: Field = values[index] ?? Field.Other;
    const valueStart = values[index + 1] ?? position;
    if (fields.length === MAX_TEMPLATE_VALUES || valueStart - position > MAX_TEMPLATE_GAP) return undefined;
    if (field !== Field.Other && fields.includes(field)) return undefined;
    fields.push(field);
    gaps.push(...bytes.subarray(position, valueStart));
    gapEnds.push(gaps.length);
    position = values[index + 2] ?? valueStart;
  }
  if (end - position > MAX_TEMPLATE_GAP) return undefined;
  gaps.push(...bytes.subarray(position, end));
  gapEnds.push(gaps.length);
  return {
    values: Uint8Array.from(fields),
    gaps: Uint8Array.from(gaps),
    gapEnds: Uint32Array.from(gapEnds),
  };
}

/** Fields of a record; whole numbers come first, in the order of `RecordFields.numbers`. */
export const enum Field {
  /** Four of them: x1, y1, x2, y2. */
  Box,
  Height = 4,
  Width,
  Id,
  Score,
  Counts,
  ClassName,
  /** Any other member; skipped. */
  Other,
}

/**
 * The fields of the last record; NaN and −1 for missing ones. One object for all records, so that
 * none is made for each.
 */
class RecordFields {
  /** x1, y1, x2, y2 of its box; height and width of its mask; its ID. */
  readonly numbers = new Float64Array(7);
  score = NaN;
  /** The positions of the run lengths and of the class name in the bytes. */
  countsStart = -1;
  countsEnd = -1;
  classStart = -1;
  classEnd = -1;

  clear(): void {
    const { numbers } = this;
    for (let field = 0; field < numbers.length; field++) numbers[field] = NaN;
    this.score = NaN;
    this.countsStart = this.classStart = -1;
  }
}

/** Whether a value of JSON is a number, by its first byte. */
export function beginsNumber(firstByte: number): boolean {
  return firstByte === Ascii.Minus || (firstByte >= Ascii.Zero && firstByte <= Ascii.Nine);
}

/**
 * Consumes a number in any form, where one begins (see beginsNumber); returns its value. Throws
 * NeedsMoreBytes and NotJson.
 */
export function readNumber(cursor: JsonCursor): number {
  const { bytes, position } = cursor;
  return Number(textOf(bytes, position, cursor.number()));
}
