import { Ascii } from '../ascii';
import { JsonChunks, type JsonCursor, NotJson } from '../jsonCursor';
import { reason } from '../reasons';

/** Reads one step of a value. Returns whether more follows, it has ended, or reading stops. */
export type ValueStep = () => 'more' | 'end' | 'stop';

interface ValueReader {
  /**
   * Begins a member's value, whose first byte is `firstByte`. Returns 'read' if it has read the
   * value, 'skip' to skip it, or a function that reads it in steps.
   */
  member: (name: string, firstByte: number) => 'read' | 'skip' | ValueStep;
  /** Begins an array at the top level. If missing, only an object is accepted there. */
  array?: () => ValueStep;
}

type State = 'start' | 'first-member' | 'member' | 'after-member' | 'skip' | 'value' | 'end' | 'stopped';

/** Walks over a JSON object's members as its bytes arrive, one step at a time: see JsonChunks. */
export class JsonMembers {
  private readonly chunks: JsonChunks;
  private state: State = 'start';
  private value: ValueStep = () => 'end';
  private isArray = false;

  /** `buffer` is reused: see JsonChunks. */
  constructor(
    private readonly reader: ValueReader,
    buffer?: Uint8Array<ArrayBuffer>,
  ) {
    this.chunks = new JsonChunks(buffer);
  }

  get cursor(): JsonCursor {
    return this.chunks.cursor;
  }

  /** Number of bytes that haven't been read yet. */
  get unread(): number {
    return this.chunks.unread;
  }

  /**
   * Reads the next bytes; the caller may reuse its array. Throws NotJson and errors of the reader.
   */
  push(bytes: Uint8Array, isLast: boolean): void {
    this.chunks.add(bytes, isLast);
    this.chunks.run(
      () => this.step(),
      () => this.state === 'skip',
    );
    if (this.state === 'end') this.chunks.checkEnd();
  }

  /** Reads one step; false when nothing is left to read. */
  private step(): boolean {
    const { cursor } = this.chunks;
    switch (this.state) {
      case 'start':
        this.chunks.skipMark();
        this.begin();
        return true;
      case 'first-member':
        if (cursor.takeIf(Ascii.CloseBrace)) this.state = 'end';
        else this.member();
        return true;
      case 'member':
        this.member();
        return true;
      case 'after-member':
        if (cursor.takeIf(Ascii.Comma)) this.state = 'member';
        else {
          cursor.take(Ascii.CloseBrace);
          this.state = 'end';
        }
        return true;
      case 'skip':
        cursor.skip();
        this.state = 'after-member';
        return true;
      case 'value': {
        const outcome = this.value();
        if (outcome === 'end') this.state = this.isArray ? 'end' : 'after-member';
        else if (outcome === 'stop') this.state = 'stopped';
        return true;
      }
      case 'end':
      case 'stopped':
        return false;
    }
  }

  private begin(): void {
    const { cursor } = this.chunks;
    const firstByte = cursor.peek();
    if (firstByte === Ascii.OpenBracket && this.reader.array) {
      this.value = this.reader.array();
      this.isArray = true;
      this.state = 'value';
      return;
    }
    if (firstByte !== Ascii.OpenBrace) throw new NotJson(reason("The data isn't a JSON object"));
    cursor.position++;
    this.state = 'first-member';
  }

  private member(): void {
    const { cursor } = this.chunks;
    cursor.string();
    const name = lastString(cursor);
    cursor.take(Ascii.Colon);
    const read = this.reader.member(name, cursor.peek());
    if (read === 'read') this.state = 'after-member';
    else if (read === 'skip') {
      this.state = 'skip';
      cursor.restartSkip();
    } else {
      this.value = read;
      this.state = 'value';
    }
  }
}

/** The bytes from `start` to `end` (exclusive) as UTF-8 text. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** The text of the string that a cursor read last. */
export function lastString({ bytes, textStart, textEnd, hasEscapes }: JsonCursor): string {
  if (!hasEscapes) return textOf(bytes, textStart, textEnd);
  return String(JSON.parse(textOf(bytes, textStart - 1, textEnd + 1)));
}
