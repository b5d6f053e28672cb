import { reason } from '../../../base/reasons';
import { Ascii } from '../../../base/ascii';
import type { JsonCursor } from '../../../base/json/jsonCursor';
import { lastString } from './cursorText';
import type { ObjectRecords } from './objectRecords';
import { noteUnreadable } from './unreadableObjects';

/** What was read: an object, the end of them, or a key out of order, without having been told to remember keys. */
type Outcome = 'object' | 'end' | 'unordered-key';

/**
 * The objects of one image: records by key, or in an array, where their positions are the keys. While keys ascend none is there
 * twice; else all of them must be remembered.
 */
export class ObjectMembers {
  private isFirst = true;
  private lastKey = -1;
  private readonly keys = new Map<string, number>();

  /** The cursor stands behind the opening brace or bracket. */
  constructor(
    private readonly cursor: JsonCursor,
    readonly records: ObjectRecords,
    private readonly isArray: boolean,
    private readonly rememberKeys: boolean,
  ) {}

  /** Reads one object with the comma before it, or the end of them. Throws NotJson and NeedsMoreBytes. */
  read(): Outcome {
    const { cursor, records } = this;
    if (cursor.takeIf(this.isArray ? Ascii.CloseBracket : Ascii.CloseBrace)) return 'end';
    if (!this.isFirst) cursor.take(Ascii.Comma);
    let key: string | number;
    if (this.isArray) key = this.lastKey + 1;
    else {
      key = this.key();
      cursor.take(Ascii.Colon);
    }
    if (!this.rememberKeys && (typeof key === 'string' || key <= this.lastKey)) return 'unordered-key';
    const object = records.columns.count;
    const isRead = records.read(cursor, key);
    this.isFirst = false;
    if (typeof key === 'number') this.lastKey = key;
    if (this.rememberKeys) this.remember(key, isRead ? object : -1);
    return 'object';
  }

  /** The key as a number if it is one, else its text. */
  private key(): string | number {
    const { cursor } = this;
    cursor.string();
    const { bytes, textStart, textEnd } = cursor;
    const length = textEnd - textStart;
    let value = 0;
    for (let at = textStart; at < textEnd; at++) {
      const code = bytes[at] as number;
      if (code < Ascii.Zero || code > Ascii.Nine) return lastString(cursor);
      value = value * 10 + code - Ascii.Zero;
    }
    const isPlain = length > 0 && length <= 15 && (length === 1 || bytes[textStart] !== Ascii.Zero);
    return isPlain ? value : lastString(cursor);
  }

  /** Of two objects with one key the last counts, as in JSON.parse; the other is listed as unreadable. */
  private remember(key: string | number, object: number): void {
    const { records, keys } = this;
    const earlier = keys.get(String(key));
    keys.set(String(key), object);
    if (earlier === undefined || earlier < 0) return;
    records.columns.drop(earlier);
    noteUnreadable(records.notes, String(key), reason('duplicate-key'));
  }
}
