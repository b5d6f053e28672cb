import { JsonCursor } from './jsonCursor';
import { NeedsMoreBytes } from './jsonTokens';

/** Bytes that must be available before a step, so that few steps are cut off and taken twice. */
const MIN_STEP_BYTES = 8192;

/**
 * Feeds JSON that arrives in chunks to a cursor; memory holds only what was not read yet. It is read in steps, and one that is cut
 * off by the end of the bytes is taken again from its beginning when there are more.
 */
export class JsonChunks {
  readonly cursor = new JsonCursor();
  private window = new Uint8Array(0);
  private minBytes = MIN_STEP_BYTES;

  /** Bytes that were not read yet. */
  get unread(): number {
    return this.cursor.end - this.cursor.position;
  }

  /** Adds the next bytes, which may be changed afterwards. */
  add(bytes: Uint8Array, isLast: boolean): void {
    const { cursor, unread } = this;
    cursor.before += cursor.position;
    const size = unread + bytes.length;
    const rest = this.window.subarray(cursor.position, cursor.end);
    if (this.window.length < size) this.window = new Uint8Array(size * 2);
    // The cursor always gets the same class of array: mixing Buffer and Uint8Array halves the speed.
    this.window.set(rest);
    this.window.set(bytes, unread);
    cursor.bytes = this.window;
    cursor.position = 0;
    cursor.end = size;
    cursor.isLast = isLast;
  }

  /**
   * Takes steps until one returns false or the bytes run out. A step that `resumes` goes on where it stopped, any other starts
   * over. Throws what a step throws, such as NotJson.
   */
  run(step: () => boolean, resumes: () => boolean): void {
    const { cursor } = this;
    let { position } = cursor;
    try {
      do {
        ({ position } = cursor);
        if (!cursor.isLast && cursor.end - position < this.minBytes) return;
      } while (step());
    } catch (error) {
      if (!(error instanceof NeedsMoreBytes)) throw error;
      if (!resumes()) cursor.position = position;
      // A step over many chunks isn't taken again with each of them.
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
