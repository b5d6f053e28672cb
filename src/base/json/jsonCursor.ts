import { reason } from '../reasons';
import { Ascii } from '../ascii';
import { JsonTokens, NotJson } from './jsonTokens';

/** Deepest nesting of arrays and objects. */
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

  /** Consumes any value. After NeedsMoreBytes, call it again to go on, or restartSkip to start over. */
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

  /** Consumes a value from its beginning, whatever an earlier skip left. */
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
      // The key and its colon are one step: reading goes on from the key.
      this.position = start;
      throw error;
    }
    this.expect = Expect.Value;
  }

  private open(closer: number, expect: Expect): void {
    if (this.depth === MAX_DEPTH) throw new NotJson(reason('json-too-deep', MAX_DEPTH));
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
