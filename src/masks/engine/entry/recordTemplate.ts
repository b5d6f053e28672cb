// The records of an archive are written by one program, so the bytes between the values of one record stand between those of
// the next as well. Records that match those of an earlier one are read by comparing bytes and parsing only their values,
// which is several times faster than token by token.

import { Ascii } from '../../../base/ascii';
import type { JsonCursor } from '../../../base/json/jsonCursor';
import { readNumber } from './cursorText';
import { Field, type RecordFields } from './recordFields';

/** Of a template: its values, and the bytes between two of them. */
const MAX_VALUES = 64;
const MAX_GAP = 1024;

/** What records that are written alike have in common. */
export class RecordTemplate {
  /** The field of each value, and the bytes before each and after the last, one after the other. */
  private values = new Uint8Array(0);
  private gaps = new Uint8Array(0);
  private gapEnds = new Uint32Array(0);

  /** Reads a record that matches the template; false when it doesn't, or is cut off. Throws NeedsMoreBytes and NotJson. */
  read(cursor: JsonCursor, fields: RecordFields): boolean {
    const { bytes, end } = cursor;
    const { numbers } = fields;
    const { values, gaps, gapEnds } = this;
    let at = cursor.position;
    let gap = 0;
    for (let n = 0; ; n++) {
      const gapEnd = gapEnds[n] as number;
      if (at + gapEnd - gap > end) return false;
      while (gap < gapEnd) if (bytes[at++] !== gaps[gap++]) return false;
      if (n === values.length) break;
      const field = values[n] as Field;
      const start = at;
      if (field <= Field.Id) {
        let value = 0;
        for (; at < end; at++) {
          const digit = (bytes[at] as number) - Ascii.Zero;
          if (digit < 0 || digit > 9) break;
          value = value * 10 + digit;
        }
        const digits = at - start;
        if (digits === 0 || digits > 15 || (digits > 1 && bytes[start] === Ascii.Zero)) return false;
        numbers[field] = value;
      } else if (field === Field.Counts) {
        // Base64 has no quotes: the next one ends it, unless a backslash escapes it.
        at = bytes.indexOf(Ascii.Quote, at);
        if (at < 0 || at >= end || bytes[at - 1] === Ascii.Backslash) return false;
        fields.countsStart = start;
        fields.countsEnd = at;
      } else if (field === Field.ClassName) {
        for (; at < end; at++) {
          const code = bytes[at] as number;
          if (code === Ascii.Quote) break;
          if (code === Ascii.Backslash || code < Ascii.Space) return false;
        }
        fields.classStart = start;
        fields.classEnd = at;
      } else {
        cursor.position = at;
        if (field === Field.Score) fields.score = readNumber(cursor);
        else cursor.skipFromStart();
        at = cursor.position;
      }
    }
    cursor.position = at;
    return true;
  }

  /**
   * Makes a record the template, unless it has a member twice or too many of them; returns whether it did. `found` holds field,
   * start and end of each of its values.
   */
  set(bytes: Uint8Array, start: number, end: number, found: readonly number[]): boolean {
    const fields: Field[] = [];
    const gaps: number[] = [];
    const gapEnds: number[] = [];
    let at = start;
    for (let n = 0; n < found.length; n += 3) {
      const field: Field = found[n] ?? Field.Other;
      const valueStart = found[n + 1] ?? at;
      if (fields.length === MAX_VALUES || valueStart - at > MAX_GAP) return false;
      if (field !== Field.Other && fields.includes(field)) return false;
      fields.push(field);
      gaps.push(...bytes.subarray(at, valueStart));
      gapEnds.push(gaps.length);
      at = found[n + 2] ?? valueStart;
    }
    if (end - at > MAX_GAP) return false;
    gaps.push(...bytes.subarray(at, end));
    gapEnds.push(gaps.length);
    this.values = Uint8Array.from(fields);
    this.gaps = Uint8Array.from(gaps);
    this.gapEnds = Uint32Array.from(gapEnds);
    return true;
  }
}
