import { Ascii } from './ascii';
import { reasonForLog } from './reasonForLog';
import { reason, type Reason } from './reasons';

/** Bytes that must be available before a step, so that few steps have to start over. */
const MIN_STEP_BYTES = 8192;

/**
 * Feeds JSON that arrives in chunks to a cursor; memory holds only unread bytes. The caller reads
 * in steps. If the bytes end within a step, the step starts over when more bytes arrive.
 */
export class JsonChunks {
  readonly cursor = new JsonCursor();
  private buffer: Uint8Array;
  private minBytes = MIN_STEP_BYTES;

  /** `reusedBuffer` is reused; larger input gets a buffer of its own. */
  constructor(private readonly reusedBuffer = new Uint8Array(0)) {
    this.buffer = reusedBuffer;
  }

  /** Number of bytes that haven't been read yet. */
  get unread(): number {
    return this.cursor.end - this.cursor.position;
  }

  /** Copies the next bytes; the caller may then reuse its array. */
  add(bytes: Uint8Array, isLast: boolean): void {
    const { cursor, unread } = this;
    cursor.before += cursor.position;
    const size = unread + bytes.length;
    const unreadBytes = this.buffer.subarray(cursor.position, cursor.end);
    if (size <= this.reusedBuffer.length) this.buffer = this.reusedBuffer;
    else if (this.buffer.length < size) this.buffer = new Uint8Array(size * 2);
    // The cursor always gets the same class of array: mixing Buffer and Uint8Array halves the
    // speed.
    this.buffer.set(unreadBytes);
    this.buffer.set(bytes, unread);
    cursor.bytes = this.buffer;
    cursor.position = 0;
    cursor.end = size;
    cursor.isLast = isLast;
  }

  /**
   * Runs `step` until it returns false or the bytes run out. An interrupted step starts over,
   * unless `resumes` returns true: then it continues where it stopped. Throws what a step throws,
   * such as NotJson.
   */
  run(step: () => boolean, resumes: () => boolean): void {
    const { cursor } = this;
    let { position } = cursor;
    try {
      for (;;) {
        ({ position } = cursor);
        if (!cursor.isLast && cursor.end - position < this.minBytes) return;
        if (!step()) return;
        // Lower the minimum after a long step: later steps would wait for more bytes than fit.
        if (this.minBytes > MIN_STEP_BYTES)
          this.minBytes = Math.max(MIN_STEP_BYTES, Math.min(this.minBytes, 2 * (cursor.position - position)));
      }
    } catch (error) {
      if (!(error instanceof NeedsMoreBytes)) throw error;
      if (!resumes()) cursor.position = position;
      // Otherwise a step over many chunks would start over with each chunk.
      this.minBytes = Math.max(MIN_STEP_BYTES, 2 * this.unread);
    }
  }

  /** Skips a byte order mark at the very beginning. Throws NeedsMoreBytes. */
  skipMark(): void {
    const { cursor } = this;
    const { bytes, end } = cursor;
    if (cursor.before + cursor.position > 0) return;
    if (end < 3 && !cursor.isLast) throw new NeedsMoreBytes();
    if (end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) cursor.position = 3;
  }

  /** Throws NotJson when anything but white space is left. */
  checkEnd(): void {
    try {
      if (this.cursor.peek() >= 0) throw this.cursor.unexpected();
    } catch (error) {
      if (!(error instanceof NeedsMoreBytes)) throw error;
    }
  }
}

/** Thrown where a value continues beyond the bytes; the cursor is then at the value's start. */
export class NeedsMoreBytes extends Error {
  override readonly name = 'NeedsMoreBytes';
}

/** Thrown for text that isn't JSON (RFC 8259); `reason` says where. */
export class NotJson extends Error {
  override readonly name = 'NotJson';

  constructor(readonly reason: Reason) {
    super(reasonForLog(reason));
  }
}

const NEEDS_MORE = new NeedsMoreBytes();

/**
 * Walks over JSON bytes (UTF-8) token by token, strictly, without making strings or objects. Throws
 * NeedsMoreBytes where the bytes end within a token; with `isLast`, NotJson.
 */
class JsonTokens {
  bytes: Uint8Array = new Uint8Array(0);
  position = 0;
  end = 0;
  isLast = false;
  /** Number of bytes that were read before `bytes`, for messages. */
  before = 0;
  /** The text of the last string, between its quotes, and whether it has escapes. */
  textStart = 0;
  textEnd = 0;
  hasEscapes = false;

  /** The next byte that is not white space, not consumed; −1 at the end of all bytes. */
  peek(): number {
    const { bytes, end } = this;
    let { position } = this;
    while (position < end) {
      const code = bytes[position] as number;
      if (
        code > Ascii.Space ||
        (code !== Ascii.Space &&
          code !== Ascii.LineFeed &&
          code !== Ascii.CarriageReturn &&
          code !== Ascii.Tab)
      ) {
        this.position = position;
        return code;
      }
      position++;
    }
    this.position = position;
    if (!this.isLast) throw NEEDS_MORE;
    return -1;
  }

  /** Consumes the byte `code`. Throws NotJson if another byte comes next. */
  take(code: number): void {
    if (this.peek() !== code) throw this.unexpected();
    this.position++;
  }

  /** Consumes the byte `code` if it comes next. */
  takeIf(code: number): boolean {
    if (this.peek() !== code) return false;
    this.position++;
    return true;
  }

  /** Consumes a string; see textStart. */
  string(): void {
    if (this.peek() !== Ascii.Quote) throw this.unexpected();
    const { bytes, end } = this;
    const start = this.position;
    let hasEscapes = false;
    let index = start + 1;
    for (; index < end; index++) {
      const code = bytes[index] as number;
      if (code === Ascii.Quote) {
        this.textStart = start + 1;
        this.textEnd = index;
        this.hasEscapes = hasEscapes;
        this.position = index + 1;
        return;
      }
      if (code === Ascii.Backslash) {
        hasEscapes = true;
        const length = this.escapeLength(index);
        if (length === 0) break;
        index += length - 1;
      } else if (code < Ascii.Space) {
        this.position = index;
        throw this.unexpected();
      }
    }
    throw this.cutOff();
  }

  /** Skips a string; its text is checked by another decoder. Doesn't set `hasEscapes`. */
  opaqueString(): void {
    if (this.peek() !== Ascii.Quote) throw this.unexpected();
    const start = this.position + 1;
    for (let searchStart = start; ;) {
      const quote = this.bytes.indexOf(Ascii.Quote, searchStart);
      if (quote < 0 || quote >= this.end) throw this.cutOff();
      let slashes = quote;
      while (slashes > start && this.bytes[slashes - 1] === Ascii.Backslash) slashes--;
      if ((quote - slashes) % 2 === 0) {
        this.textStart = start;
        this.textEnd = quote;
        this.position = quote + 1;
        return;
      }
      searchStart = quote + 1;
    }
  }

  /** Whether the bytes of the last string equal `text`. */
  isText(text: Uint8Array): boolean {
    const { bytes, textStart } = this;
    if (this.textEnd - textStart !== text.length) return false;
    for (let index = 0; index < text.length; index++)
      if (bytes[textStart + index] !== text[index]) return false;
    return true;
  }

  /** Consumes an integer of at most 15 digits; for other text returns NaN and consumes nothing. */
  integer(): number {
    const isNegative = this.peek() === Ascii.Minus;
    const { bytes, end } = this;
    const start = isNegative ? this.position + 1 : this.position;
    let value = 0;
    let index = start;
    for (; index < end; index++) {
      const digit = (bytes[index] as number) - Ascii.Zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (index === end && !this.isLast) throw NEEDS_MORE;
    const length = index - start;
    if (length === 0 || length > 15 || (length > 1 && bytes[start] === Ascii.Zero)) return NaN;
    if (index < end) {
      // A fraction or an exponent follows.
      const code = bytes[index];
      if (code === Ascii.Dot || code === Ascii.LowerE || code === Ascii.UpperE) return NaN;
    }
    this.position = index;
    return isNegative ? -value : value;
  }

  /** Consumes a number in any form; returns the position of its end. */
  number(): number {
    const { bytes, end } = this;
    this.peek();
    let index = this.position;
    if (index < end && bytes[index] === Ascii.Minus) index++;
    if (index < end && bytes[index] === Ascii.Zero) index++;
    else index = this.digits(index);
    if (index < end && bytes[index] === Ascii.Dot) index = this.digits(index + 1);
    if (index < end && (bytes[index] === Ascii.LowerE || bytes[index] === Ascii.UpperE)) {
      index++;
      if (index < end && (bytes[index] === Ascii.Plus || bytes[index] === Ascii.Minus)) index++;
      index = this.digits(index);
    }
    if (index >= end && !this.isLast) throw NEEDS_MORE;
    this.position = index;
    return index;
  }

  /** The error for the byte at the current position. */
  unexpected(): NotJson {
    const offset = this.before + this.position;
    if (this.position >= this.end) return new NotJson(reason('The JSON ends early, after {0} bytes', offset));
    return new NotJson(reason('Invalid JSON at byte {0}', offset));
  }

  private digits(start: number): number {
    let index = start;
    for (; index < this.end; index++) {
      const code = this.bytes[index] as number;
      if (code < Ascii.Zero || code > Ascii.Nine) break;
    }
    if (index === this.end && !this.isLast) throw NEEDS_MORE;
    if (index === start) {
      this.position = index;
      throw this.unexpected();
    }
    return index;
  }

  /** Length in bytes of the escape at `index`; 0 if it is cut off. */
  private escapeLength(index: number): number {
    const { bytes, end } = this;
    if (index + 1 >= end) return 0;
    const code = bytes[index + 1] as number;
    if (code !== Ascii.LowerU) {
      if (SINGLE_ESCAPES.includes(code)) return 2;
      this.position = index;
      throw this.unexpected();
    }
    for (let i = index + 2; i < index + 6; i++) {
      if (i >= end) return 0;
      const digit = bytes[i] as number;
      const lower = digit | 32;
      const isHex =
        (lower >= Ascii.LowerA && lower <= Ascii.LowerF) || (digit >= Ascii.Zero && digit <= Ascii.Nine);
      if (isHex) continue;
      this.position = i;
      throw this.unexpected();
    }
    return 6;
  }

  protected cutOff(): Error {
    if (!this.isLast) return NEEDS_MORE;
    this.position = this.end;
    return this.unexpected();
  }
}

/** Characters that may follow a backslash, besides u: " \ / b f n r t. */
const SINGLE_ESCAPES: readonly number[] = [
  Ascii.Quote,
  Ascii.Backslash,
  Ascii.Slash,
  Ascii.LowerB,
  Ascii.LowerF,
  Ascii.LowerN,
  Ascii.LowerR,
  Ascii.LowerT,
];

/** Maximum nesting of arrays and objects. */
const MAX_DEPTH = 512;

const enum Expect {
  Value,
  FirstItem,
  FirstKey,
  Key,
  CommaOrEnd,
}

/** A cursor that also walks over whole values, however they are nested, without recursion. */
export class JsonCursor extends JsonTokens {
  private readonly closers = new Uint8Array(MAX_DEPTH);
  private depth = 0;
  private expect = Expect.Value;

  /** Consumes any value. After NeedsMoreBytes, call it again, or restartSkip to start over. */
  skip(): void {
    for (;;) {
      const code = this.peek();
      switch (this.expect) {
        case Expect.FirstItem:
          if (code === Ascii.CloseBracket) this.close();
          else this.value(code);
          break;
        case Expect.Value:
          this.value(code);
          break;
        case Expect.FirstKey:
          if (code === Ascii.CloseBrace) this.close();
          else this.key();
          break;
        case Expect.Key:
          this.key();
          break;
        case Expect.CommaOrEnd:
          if (code === this.closers[this.depth - 1]) this.close();
          else {
            if (code !== Ascii.Comma) throw this.unexpected();
            this.position++;
            this.expect = this.closers[this.depth - 1] === Ascii.CloseBracket ? Expect.Value : Expect.Key;
          }
      }
      if (this.depth === 0 && this.expect === Expect.CommaOrEnd) {
        this.restartSkip();
        return;
      }
    }
  }

  /** Consumes a value from its start; forgets an earlier, interrupted skip. */
  skipFromStart(): void {
    this.restartSkip();
    this.skip();
  }

  restartSkip(): void {
    this.depth = 0;
    this.expect = Expect.Value;
  }

  private value(code: number): void {
    if (code === Ascii.Quote) this.string();
    else if (code === Ascii.OpenBrace) {
      this.open(Ascii.CloseBrace, Expect.FirstKey);
      return;
    } else if (code === Ascii.OpenBracket) {
      this.open(Ascii.CloseBracket, Expect.FirstItem);
      return;
    } else if (code === Ascii.Minus || (code >= Ascii.Zero && code <= Ascii.Nine)) this.number();
    else if (code === Ascii.LowerT) this.literal('true');
    else if (code === Ascii.LowerF) this.literal('false');
    else if (code === Ascii.LowerN) this.literal('null');
    else throw this.unexpected();
    this.expect = Expect.CommaOrEnd;
  }

  private key(): void {
    const start = this.position;
    this.string();
    try {
      this.take(Ascii.Colon);
    } catch (error) {
      // The key and its colon are one step: reading resumes at the key.
      this.position = start;
      throw error;
    }
    this.expect = Expect.Value;
  }

  private open(closer: number, expect: Expect): void {
    if (this.depth === MAX_DEPTH)
      throw new NotJson(reason('The JSON is nested more than {0} levels deep', MAX_DEPTH));
    this.closers[this.depth++] = closer;
    this.expect = expect;
    this.position++;
  }

  private close(): void {
    this.depth--;
    this.position++;
    this.expect = Expect.CommaOrEnd;
  }

  private literal(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.position + i >= this.end) throw this.cutOff();
      if (this.bytes[this.position + i] !== word.charCodeAt(i)) throw this.unexpected();
    }
    this.position += word.length;
  }
}
