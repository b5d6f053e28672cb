import type { JsonCursor } from '../../formats/jsonCursor';
import { isText, textOf } from './byteText';

/** What is read of a record: the first ones are whole numbers, in the order of `RecordFields.numbers`. */
const enum Field {
  Box,
  Height = 4,
  Width,
  Id,
  Score,
  Counts,
  ClassName,
  /** Of no meaning here, whatever it is. */
  Other,
}

/** Records that may differ from the one learned from, one after the other, until another is learned from. */
const PATIENCE = 8;

/** Records learned from: an archive whose records all differ is not worth more. */
const MAX_LESSONS = 8;

/** Most values of a record that others are compared with, and most bytes between two. */
const MAX_VALUES = 64;
const MAX_GAP = 1024;

/**
 * Finds the fields of object records (spec.md, "Object record") among their bytes. The records of an archive are written
 * by one program, so what stands between the values of one stands there in the next as well and is compared as it is;
 * only a record that differs is read token by token.
 */
export class RecordFields {
  // Of the record at hand; NaN and −1 stand for what it has not.
  /** x1, y1, x2, y2 of its box; height and width of its mask; its id. */
  readonly numbers = new Float64Array(7);
  score = NaN;
  countsStart = -1;
  countsEnd = -1;
  classStart = -1;
  classEnd = -1;

  /** The record learned from: its values, and the bytes before each and after the last, one after the other. */
  private values = new Uint8Array(0);
  private gaps = new Uint8Array(0);
  private gapEnds = new Uint32Array(0);
  private lessons = 0;
  private misses = 0;
  /** Field, start and end of each value of a record that is to be learned from. */
  private noted: number[] = [];

  /**
   * Reads the record the cursor stands at; false when anything in it is not written in the usual way. Throws
   * NeedsMoreBytes and NotJson.
   */
  scan(cursor: JsonCursor): boolean {
    const start = cursor.position;
    this.clear();
    if (this.lessons > 0 && this.scanAlike(cursor)) {
      this.misses = 0;
      return true;
    }
    cursor.position = start;
    this.clear();
    if (!this.scanTokens(cursor)) return false;
    if (this.lessons === 0 || (++this.misses > PATIENCE && this.lessons < MAX_LESSONS))
      this.learn(cursor.bytes, start, cursor.position);
    return true;
  }

  private clear(): void {
    const { numbers } = this;
    for (let field = 0; field < numbers.length; field++) numbers[field] = NaN;
    this.score = NaN;
    this.countsStart = this.classStart = -1;
    this.noted.length = 0;
  }

  /** Reads a record that is written like the one learned from; false when it is not, or is cut off. */
  private scanAlike(cursor: JsonCursor): boolean {
    const { bytes, end } = cursor;
    const { values, gaps, gapEnds, numbers } = this;
    let at = cursor.position;
    let gap = 0;
    for (let n = 0; ; n++) {
      const gapEnd = gapEnds[n] ?? 0;
      if (at + gapEnd - gap > end) return false;
      while (gap < gapEnd) if (bytes[at++] !== gaps[gap++]) return false;
      if (n === values.length) break;
      const field: Field = values[n] ?? Field.Other;
      const start = at;
      if (field <= Field.Id) {
        let value = 0;
        for (; at < end; at++) {
          const digit = (bytes[at] ?? 0) - 48;
          if (digit < 0 || digit > 9) break;
          value = value * 10 + digit;
        }
        const digits = at - start;
        if (digits === 0 || digits > 15 || (digits > 1 && bytes[start] === 48)) return false;
        numbers[field] = value;
      } else if (field === Field.Counts) {
        // The next quote ends it, however long it is, unless it may be an escaped one.
        at = bytes.indexOf(34, at);
        if (at < 0 || at >= end || bytes[at - 1] === 92) return false;
        this.countsStart = start;
        this.countsEnd = at;
      } else if (field === Field.ClassName) {
        for (; at < end; at++) {
          const code = bytes[at] ?? 0;
          if (code === 34) break;
          if (code === 92 || code < 32) return false;
        }
        this.classStart = start;
        this.classEnd = at;
      } else {
        cursor.position = at;
        if (field === Field.Score) this.score = scoreAt(cursor);
        else skip(cursor);
        at = cursor.position;
      }
    }
    cursor.position = at;
    return true;
  }

  /** Remembers how the record is written, unless it has a member twice, or too many of them. */
  private learn(bytes: Uint8Array, start: number, end: number): void {
    const { noted } = this;
    const fields: Field[] = [];
    const gaps: number[] = [];
    const gapEnds: number[] = [];
    let at = start;
    for (let n = 0; n < noted.length; n += 3) {
      const field: Field = noted[n] ?? Field.Other;
      const valueStart = noted[n + 1] ?? at;
      if (fields.length === MAX_VALUES || valueStart - at > MAX_GAP) return;
      if (field !== Field.Other && fields.includes(field)) return;
      fields.push(field);
      gaps.push(...bytes.subarray(at, valueStart));
      gapEnds.push(gaps.length);
      at = noted[n + 2] ?? valueStart;
    }
    if (end - at > MAX_GAP) return;
    gaps.push(...bytes.subarray(at, end));
    gapEnds.push(gaps.length);
    this.values = Uint8Array.from(fields);
    this.gaps = Uint8Array.from(gaps);
    this.gapEnds = Uint32Array.from(gapEnds);
    this.lessons++;
    this.misses = 0;
  }

  private scanTokens(cursor: JsonCursor): boolean {
    if (!cursor.takeIf(123)) return false;
    if (cursor.takeIf(125)) return false;
    do {
      cursor.string();
      if (cursor.hasEscapes) return false;
      const { bytes, textStart } = cursor;
      const length = cursor.textEnd - textStart;
      cursor.take(58);
      if (length === 2 && isText(bytes, textStart, ID)) {
        if (!this.integer(cursor, Field.Id)) return false;
      } else if (length === 4 && isText(bytes, textStart, BBOX)) {
        if (!this.integers(cursor, Field.Box, 4)) return false;
      } else if (length === 3 && isText(bytes, textStart, RLE)) {
        if (!this.scanRle(cursor)) return false;
      } else if (length === 10 && isText(bytes, textStart, PRED_CLASS)) {
        if (cursor.peek() !== 34) return false;
        cursor.string();
        if (cursor.hasEscapes) return false;
        this.classStart = cursor.textStart;
        this.classEnd = cursor.textEnd;
        this.noted.push(Field.ClassName, this.classStart, this.classEnd);
      } else if (length === 11 && isText(bytes, textStart, MODEL_SCORE)) {
        const first = cursor.peek();
        if (first !== 45 && (first < 48 || first > 57)) return false;
        const start = cursor.position;
        this.score = scoreAt(cursor);
        this.noted.push(Field.Score, start, cursor.position);
      } else {
        cursor.peek();
        const start = cursor.position;
        skip(cursor);
        this.noted.push(Field.Other, start, cursor.position);
      }
    } while (cursor.takeIf(44));
    return cursor.takeIf(125);
  }

  private scanRle(cursor: JsonCursor): boolean {
    this.numbers[Field.Height] = this.numbers[Field.Width] = NaN;
    this.countsStart = -1;
    if (!cursor.takeIf(123)) return false;
    do {
      if (cursor.peek() !== 34) return false;
      cursor.string();
      const { bytes, textStart } = cursor;
      const length = cursor.textEnd - textStart;
      cursor.take(58);
      if (length === 4 && isText(bytes, textStart, SIZE)) {
        if (!this.integers(cursor, Field.Height, 2)) return false;
      } else if (length === 6 && isText(bytes, textStart, COUNTS)) {
        if (cursor.peek() !== 34) return false;
        cursor.opaqueString();
        this.countsStart = cursor.textStart;
        this.countsEnd = cursor.textEnd;
        this.noted.push(Field.Counts, this.countsStart, this.countsEnd);
      } else return false;
    } while (cursor.takeIf(44));
    return cursor.takeIf(125);
  }

  /** Reads an array of exactly so many whole numbers; false when it is something else. */
  private integers(cursor: JsonCursor, first: Field, count: number): boolean {
    if (!cursor.takeIf(91)) return false;
    for (let i = 0; i < count; i++) {
      if (i > 0 && !cursor.takeIf(44)) return false;
      if (!this.integer(cursor, first + i)) return false;
    }
    return cursor.takeIf(93);
  }

  private integer(cursor: JsonCursor, field: number): boolean {
    cursor.peek();
    const start = cursor.position;
    const value = cursor.integer();
    this.numbers[field] = value;
    this.noted.push(field, start, cursor.position);
    return !Number.isNaN(value);
  }
}

function scoreAt(cursor: JsonCursor): number {
  const { bytes, position } = cursor;
  return Number(textOf(bytes, position, cursor.number()));
}

function skip(cursor: JsonCursor): void {
  cursor.restartSkip();
  cursor.skip();
}

const ID = Buffer.from('id');
const BBOX = Buffer.from('bbox');
const RLE = Buffer.from('rle');
const SIZE = Buffer.from('size');
const COUNTS = Buffer.from('counts');
const PRED_CLASS = Buffer.from('pred_class');
const MODEL_SCORE = Buffer.from('model_score');
