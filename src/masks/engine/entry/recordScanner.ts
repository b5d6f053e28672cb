import { Ascii } from '../../../base/ascii';
import type { JsonCursor } from '../../../base/json/jsonCursor';
import { readNumber } from './cursorText';
import { Field, RecordFields } from './recordFields';
import { RecordTemplate } from './recordTemplate';

/** Records in a row that may differ from the template before it is replaced. */
const MAX_MISSES = 8;

/** Templates per image: where all records differ, more of them don't help. */
const MAX_TEMPLATES = 8;

/**
 * Finds the fields of object records (docs/service.md, "Masks archive") among their bytes, without strings or objects: by the
 * template that earlier records gave, else token by token.
 */
export class RecordScanner {
  readonly fields = new RecordFields();
  private readonly template = new RecordTemplate();
  private templateCount = 0;
  private misses = 0;
  /** Field, start and end of each value of the record read last by tokens. */
  private readonly values: number[] = [];

  /**
   * Reads the record at the cursor into `fields`; false when anything in it isn't written in the usual way. Throws
   * NeedsMoreBytes and NotJson.
   */
  scan(cursor: JsonCursor): boolean {
    const { fields, template } = this;
    const start = cursor.position;
    fields.clear();
    if (this.templateCount > 0 && template.read(cursor, fields)) {
      this.misses = 0;
      return true;
    }
    cursor.position = start;
    fields.clear();
    this.values.length = 0;
    if (!this.scanTokens(cursor)) return false;
    const isDue =
      this.templateCount === 0 || (++this.misses > MAX_MISSES && this.templateCount < MAX_TEMPLATES);
    if (isDue && template.set(cursor.bytes, start, cursor.position, this.values)) {
      this.templateCount++;
      this.misses = 0;
    }
    return true;
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
        const first = cursor.peek();
        if (first !== Ascii.Minus && (first < Ascii.Zero || first > Ascii.Nine)) return false;
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
  private integers(cursor: JsonCursor, first: Field, count: number): boolean {
    if (!cursor.takeIf(Ascii.OpenBracket)) return false;
    for (let i = 0; i < count; i++) {
      if (i > 0 && !cursor.takeIf(Ascii.Comma)) return false;
      if (!this.integer(cursor, first + i)) return false;
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
