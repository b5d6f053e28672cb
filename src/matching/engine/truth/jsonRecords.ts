import { open } from 'node:fs/promises';
import { Ascii } from '../../../base/ascii';
import { CodedError, isCoded, throwIfCanceled } from '../../../base/errors';
import { JsonChunks, NotJson } from '../../../base/jsonCursor';
import { whenReleased } from '../../../base/node/diskErrors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { Pacer } from '../../../base/node/slices';
import { reason, type Reason } from '../../../base/reasons';
import { lastString, textOf } from '../../../masks/engine/recordScanner';
import type { OnRead } from './referenceMasks';

/*
 * Ground truth can have gigabytes, more than a string may. Its records are parsed one by one as their bytes arrive; memory
 * holds the longest of them.
 */

/** Of a single record. */
const MAX_RECORD_BYTES = 256 * 1024 ** 2;
const CHUNK_BYTES = 1024 ** 2;

/** An item of an array that is a member of the file's object; `member` is '' where the file is an array itself. */
export interface JsonRecord {
  member: string;
  value: unknown;
}

/** Which arrays of a JSON file have the records, by their members ('' for the file itself), and what a file without any lacks. */
export interface WantedRecords {
  members: readonly string[];
  otherwise: Reason;
}

/**
 * The records of the wanted arrays of a JSON file, in their order, some at a time. Throws `bad-request` for what isn't such a
 * file, `not-a-file`, `cancelled`.
 */
export async function* jsonRecords(
  path: string,
  size: number,
  { members, otherwise }: WantedRecords,
  onRead: OnRead,
  signal?: AbortSignal,
): AsyncGenerator<readonly JsonRecord[], void, undefined> {
  const scanner = new RecordArrays(new Set(members));
  const pacer = new Pacer(signal);
  let done = 0;
  try {
    const file = await whenReleased(() => open(path));
    const chunks = file.createReadStream({ highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      throwIfCanceled(signal);
      yield scanner.push(chunk, false);
      done += chunk.length;
      onRead(done, Math.max(done, size));
      if (pacer.isDue) await pacer.pause();
    }
    yield scanner.push(new Uint8Array(0), true);
    if (!scanner.hasArray) throw new NotJson(otherwise);
  } catch (error) {
    throwIfCanceled(signal);
    if (error instanceof NotJson)
      throw new CodedError('bad-request', error.message, { reason: error.reason, subject: path });
    throw isCoded(error) ? error : unreadableFile(error, path);
  }
}

type State =
  | 'start'
  | 'first-member'
  | 'member'
  | 'after-member'
  | 'skip'
  | 'first-item'
  | 'item'
  | 'after-item'
  | 'end';

class RecordArrays {
  private readonly chunks = new JsonChunks();
  private state: State = 'start';
  private member = '';
  private isRootArray = false;
  /** Whether any wanted array was found, be it empty. */
  hasArray = false;
  private records: JsonRecord[] = [];

  constructor(private readonly wanted: ReadonlySet<string>) {}

  /** The records that end in these bytes. Throws NotJson. */
  push(bytes: Uint8Array, isLast: boolean): readonly JsonRecord[] {
    if (this.chunks.unread + bytes.length > MAX_RECORD_BYTES) throw new NotJson(reason('record-too-large'));
    this.records = [];
    this.chunks.add(bytes, isLast);
    this.chunks.run(
      () => this.step(),
      () => this.state === 'skip',
    );
    if (isLast) this.chunks.checkEnd();
    return this.records;
  }

  /** One step; false when there is nothing more to read. */
  private step(): boolean {
    const { cursor } = this.chunks;
    switch (this.state) {
      case 'start':
        this.chunks.skipMark();
        this.isRootArray = cursor.peek() === Ascii.OpenBracket;
        if (this.isRootArray && this.wanted.has('')) this.beginArray();
        else {
          if (cursor.peek() !== Ascii.OpenBrace) throw new NotJson(reason('not-a-json-object'));
          cursor.position++;
          this.state = 'first-member';
        }
        return true;
      case 'first-member':
        if (cursor.takeIf(Ascii.CloseBrace)) this.state = 'end';
        else this.beginMember();
        return true;
      case 'member':
        this.beginMember();
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
      case 'first-item':
        if (cursor.takeIf(Ascii.CloseBracket)) this.endArray();
        else this.state = 'item';
        return true;
      case 'item': {
        cursor.peek();
        const start = cursor.position;
        cursor.skipFromStart();
        this.records.push({
          member: this.member,
          value: JSON.parse(textOf(cursor.bytes, start, cursor.position)),
        });
        this.state = 'after-item';
        return true;
      }
      case 'after-item':
        if (cursor.takeIf(Ascii.Comma)) this.state = 'item';
        else {
          cursor.take(Ascii.CloseBracket);
          this.endArray();
        }
        return true;
      case 'end':
        return false;
    }
  }

  private beginMember(): void {
    const { cursor } = this.chunks;
    cursor.string();
    const name = lastString(cursor);
    cursor.take(Ascii.Colon);
    if (this.wanted.has(name) && cursor.peek() === Ascii.OpenBracket) {
      this.member = name;
      this.beginArray();
      return;
    }
    this.state = 'skip';
    cursor.restartSkip();
  }

  private beginArray(): void {
    this.chunks.cursor.position++;
    this.hasArray = true;
    this.state = 'first-item';
  }

  private endArray(): void {
    this.state = this.isRootArray ? 'end' : 'after-member';
  }
}
