/** Thrown where a value goes on beyond the bytes at hand; the cursor then stands where that value begins. */
export class NeedsMoreBytes extends Error {
  override readonly name = 'NeedsMoreBytes';
}

/** What is wrong with a text that is not JSON (RFC 8259). */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const NEEDS_MORE = new NeedsMoreBytes('The text goes on');

/** Deepest nesting of arrays and objects. */
const MAX_DEPTH = 512;

const enum Expect {
  Value,
  FirstItem,
  FirstKey,
  Key,
  CommaOrEnd,
}

/**
 * Walks over JSON bytes (UTF-8) token by token, strictly, without making strings or objects of them. Where the bytes end
 * within a token it throws NeedsMoreBytes, unless `isLast`, when that is an error; offsets of errors count from `start`.
 */
export class JsonCursor {
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

  private readonly closers = new Uint8Array(MAX_DEPTH);
  private depth = 0;
  private expect = Expect.Value;

  /** The next byte that is not white space, not consumed; −1 at the end of all bytes. */
  peek(): number {
    const { bytes, end } = this;
    let { position } = this;
    while (position < end) {
      const code = bytes[position] ?? 0;
      if (code > 32 || (code !== 32 && code !== 10 && code !== 13 && code !== 9)) {
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
    if (this.peek() !== 34) throw this.unexpected();
    const { bytes, end } = this;
    const start = this.position;
    let hasEscapes = false;
    let at = start + 1;
    for (; at < end; at++) {
      const code = bytes[at] ?? 0;
      if (code === 34) {
        this.textStart = start + 1;
        this.textEnd = at;
        this.hasEscapes = hasEscapes;
        this.position = at + 1;
        return;
      }
      if (code === 92) {
        hasEscapes = true;
        const length = this.escapeLength(at);
        if (length === 0) break;
        at += length - 1;
      } else if (code < 32) {
        this.position = at;
        throw this.unexpected();
      }
    }
    throw this.cutOff();
  }

  /**
   * Consumes a string whose text is only looked at for its end: one that a decoder of its own will check. `hasEscapes`
   * is not set.
   */
  opaqueString(): void {
    if (this.peek() !== 34) throw this.unexpected();
    const start = this.position + 1;
    for (let from = start; ;) {
      const quote = this.bytes.indexOf(34, from);
      if (quote < 0 || quote >= this.end) throw this.cutOff();
      let slashes = quote;
      while (slashes > start && this.bytes[slashes - 1] === 92) slashes--;
      if ((quote - slashes) % 2 === 0) {
        this.textStart = start;
        this.textEnd = quote;
        this.position = quote + 1;
        return;
      }
      from = quote + 1;
    }
  }

  /** Consumes a whole number of at most 15 digits; NaN, and nothing consumed, when it is written otherwise. */
  integer(): number {
    const isNegative = this.peek() === 45;
    const { bytes, end } = this;
    const start = isNegative ? this.position + 1 : this.position;
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === end && !this.isLast) throw NEEDS_MORE;
    const length = at - start;
    if (length === 0 || length > 15 || (length > 1 && bytes[start] === 48)) return NaN;
    if (at < end) {
      // A fraction or an exponent follows.
      const code = bytes[at];
      if (code === 46 || code === 101 || code === 69) return NaN;
    }
    this.position = at;
    return isNegative ? -value : value;
  }

  /** Consumes a number in any form and gives its end. */
  number(): number {
    const { bytes, end } = this;
    this.peek();
    let at = this.position;
    if (at < end && bytes[at] === 45) at++;
    if (at < end && bytes[at] === 48) at++;
    else at = this.digits(at);
    if (at < end && bytes[at] === 46) at = this.digits(at + 1);
    if (at < end && (bytes[at] === 101 || bytes[at] === 69)) {
      at++;
      if (at < end && (bytes[at] === 43 || bytes[at] === 45)) at++;
      at = this.digits(at);
    }
    if (at >= end && !this.isLast) throw NEEDS_MORE;
    this.position = at;
    return at;
  }

  /** Consumes any value. After NeedsMoreBytes it may be called again to go on, or restartSkip be called to begin anew. */
  skip(): void {
    for (;;) {
      const code = this.peek();
      switch (this.expect) {
        case Expect.FirstItem:
          if (code === 93) this.close();
          else this.value(code);
          break;
        case Expect.Value:
          this.value(code);
          break;
        case Expect.FirstKey:
          if (code === 125) this.close();
          else this.key();
          break;
        case Expect.Key:
          this.key();
          break;
        case Expect.CommaOrEnd:
          if (code === this.closers[this.depth - 1]) this.close();
          else {
            if (code !== 44) throw this.unexpected();
            this.position++;
            this.expect = this.closers[this.depth - 1] === 93 ? Expect.Value : Expect.Key;
          }
      }
      if (this.depth === 0 && this.expect === Expect.CommaOrEnd) {
        this.restartSkip();
        return;
      }
    }
  }

  restartSkip(): void {
    this.depth = 0;
    this.expect = Expect.Value;
  }

  /** The error for the byte at the position. */
  unexpected(): NotJson {
    const offset = this.before + this.position;
    if (this.position >= this.end) return new NotJson(`It ends in the middle, after ${offset} bytes.`);
    return new NotJson(`It is not JSON at byte ${offset}.`);
  }

  private value(code: number): void {
    if (code === 34) this.string();
    else if (code === 123) {
      this.open(125, Expect.FirstKey);
      return;
    } else if (code === 91) {
      this.open(93, Expect.FirstItem);
      return;
    } else if (code === 45 || (code >= 48 && code <= 57)) this.number();
    else if (code === 116) this.literal('true');
    else if (code === 102) this.literal('false');
    else if (code === 110) this.literal('null');
    else throw this.unexpected();
    this.expect = Expect.CommaOrEnd;
  }

  private key(): void {
    const start = this.position;
    this.string();
    try {
      this.take(58);
    } catch (error) {
      // The key and its colon are one step: it is taken again from the key on.
      this.position = start;
      throw error;
    }
    this.expect = Expect.Value;
  }

  private open(closer: number, expect: Expect): void {
    if (this.depth === MAX_DEPTH) throw new NotJson(`It is nested more than ${MAX_DEPTH} deep.`);
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

  private digits(from: number): number {
    let at = from;
    for (; at < this.end; at++) {
      const code = this.bytes[at] ?? 0;
      if (code < 48 || code > 57) break;
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
    const code = bytes[at + 1] ?? 0;
    if (code !== 117) {
      if (SINGLE_ESCAPES.includes(code)) return 2;
      this.position = at;
      throw this.unexpected();
    }
    for (let i = at + 2; i < at + 6; i++) {
      if (i >= end) return 0;
      const digit = (bytes[i] ?? 0) | 32;
      const isHex = (digit >= 97 && digit <= 102) || ((bytes[i] ?? 0) >= 48 && (bytes[i] ?? 0) <= 57);
      if (isHex) continue;
      this.position = i;
      throw this.unexpected();
    }
    return 6;
  }

  private cutOff(): Error {
    if (!this.isLast) return NEEDS_MORE;
    this.position = this.end;
    return this.unexpected();
  }
}

/** What may follow a backslash, besides u: " \ / b f n r t. */
const SINGLE_ESCAPES: readonly number[] = [34, 92, 47, 98, 102, 110, 114, 116];
