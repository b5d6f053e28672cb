import { reason, reasonForLog, type Reason } from '../reasons';
import { Ascii } from '../ascii';

/** Thrown where a value goes on beyond the bytes read so far; the cursor then stands where that value begins. */
export class NeedsMoreBytes extends Error {
  override readonly name = 'NeedsMoreBytes';
}

/** Thrown where a text is not JSON (RFC 8259); `reason` says where. */
export class NotJson extends Error {
  override readonly name = 'NotJson';

  constructor(readonly reason: Reason) {
    super(reasonForLog(reason));
  }
}

const NEEDS_MORE = new NeedsMoreBytes();

/**
 * Walks over JSON bytes (UTF-8) token by token, strictly, without making strings or objects of them. Where the bytes end
 * within a token it throws NeedsMoreBytes, unless `isLast`, when that is an error.
 */
export class JsonTokens {
  bytes: Uint8Array = new Uint8Array(0);
  position = 0;
  end = 0;
  isLast = false;
  /** Bytes that went by before `bytes`, for messages. */
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

  /** Consumes that byte, which must come next. */
  take(code: number): void {
    if (this.peek() !== code) throw this.unexpected();
    this.position++;
  }

  /** Consumes the byte if it comes next. */
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
    let at = start + 1;
    for (; at < end; at++) {
      const code = bytes[at] as number;
      if (code === Ascii.Quote) {
        this.textStart = start + 1;
        this.textEnd = at;
        this.hasEscapes = hasEscapes;
        this.position = at + 1;
        return;
      }
      if (code === Ascii.Backslash) {
        hasEscapes = true;
        const length = this.escapeLength(at);
        if (length === 0) break;
        at += length - 1;
      } else if (code < Ascii.Space) {
        this.position = at;
        throw this.unexpected();
      }
    }
    throw this.cutOff();
  }

  /**
   * Consumes a string without checking its text, which another decoder will check; only its end is found. `hasEscapes`
   * is not set.
   */
  opaqueString(): void {
    if (this.peek() !== Ascii.Quote) throw this.unexpected();
    const start = this.position + 1;
    for (let from = start; ;) {
      const quote = this.bytes.indexOf(Ascii.Quote, from);
      if (quote < 0 || quote >= this.end) throw this.cutOff();
      let slashes = quote;
      while (slashes > start && this.bytes[slashes - 1] === Ascii.Backslash) slashes--;
      if ((quote - slashes) % 2 === 0) {
        this.textStart = start;
        this.textEnd = quote;
        this.position = quote + 1;
        return;
      }
      from = quote + 1;
    }
  }

  /** Whether the last string is written as this text is. */
  isText(text: Uint8Array): boolean {
    const { bytes, textStart } = this;
    if (this.textEnd - textStart !== text.length) return false;
    for (let at = 0; at < text.length; at++) if (bytes[textStart + at] !== text[at]) return false;
    return true;
  }

  /** Consumes a whole number of at most 15 digits; NaN, and nothing consumed, when it is written otherwise. */
  integer(): number {
    const isNegative = this.peek() === Ascii.Minus;
    const { bytes, end } = this;
    const start = isNegative ? this.position + 1 : this.position;
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = (bytes[at] as number) - Ascii.Zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === end && !this.isLast) throw NEEDS_MORE;
    const length = at - start;
    if (length === 0 || length > 15 || (length > 1 && bytes[start] === Ascii.Zero)) return NaN;
    if (at < end) {
      // A fraction or an exponent follows.
      const code = bytes[at];
      if (code === Ascii.Dot || code === Ascii.LowerE || code === Ascii.UpperE) return NaN;
    }
    this.position = at;
    return isNegative ? -value : value;
  }

  /** Consumes a number in any form and gives its end. */
  number(): number {
    const { bytes, end } = this;
    this.peek();
    let at = this.position;
    if (at < end && bytes[at] === Ascii.Minus) at++;
    if (at < end && bytes[at] === Ascii.Zero) at++;
    else at = this.digits(at);
    if (at < end && bytes[at] === Ascii.Dot) at = this.digits(at + 1);
    if (at < end && (bytes[at] === Ascii.LowerE || bytes[at] === Ascii.UpperE)) {
      at++;
      if (at < end && (bytes[at] === Ascii.Plus || bytes[at] === Ascii.Minus)) at++;
      at = this.digits(at);
    }
    if (at >= end && !this.isLast) throw NEEDS_MORE;
    this.position = at;
    return at;
  }

  /** The error for the byte at the position. */
  unexpected(): NotJson {
    const offset = this.before + this.position;
    if (this.position >= this.end) return new NotJson(reason('json-ends-early', offset));
    return new NotJson(reason('json-invalid', offset));
  }

  private digits(from: number): number {
    let at = from;
    for (; at < this.end; at++) {
      const code = this.bytes[at] as number;
      if (code < Ascii.Zero || code > Ascii.Nine) break;
    }
    if (at === this.end && !this.isLast) throw NEEDS_MORE;
    if (at === from) {
      this.position = at;
      throw this.unexpected();
    }
    return at;
  }

  /** Bytes of the escape at `at`, or 0 when it is cut off. */
  private escapeLength(at: number): number {
    const { bytes, end } = this;
    if (at + 1 >= end) return 0;
    const code = bytes[at + 1] as number;
    if (code !== Ascii.LowerU) {
      if (SINGLE_ESCAPES.includes(code)) return 2;
      this.position = at;
      throw this.unexpected();
    }
    for (let i = at + 2; i < at + 6; i++) {
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

/** What may follow a backslash, besides u: " \ / b f n r t. */
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
