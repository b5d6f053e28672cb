import { open } from 'node:fs/promises';
import { Ascii } from '../../../base/ascii';
import { CodedError, isCoded, throwIfCanceled } from '../../../base/errors';
import { NotJson } from '../../../base/jsonCursor';
import { whenReleased } from '../../../base/node/diskErrors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { JsonMembers, textOf, type ValueStep } from '../../../base/node/jsonMembers';
import { Pacer } from '../../../base/node/slices';
import { reason, type Reason } from '../../../base/reasons';
import type { OnRead } from './referenceMasks';

/*
 * Ground truth can have gigabytes, more than a string may. Its records are parsed one by one as
 * their bytes arrive; memory holds the longest of them.
 */

/** Maximum size of a single record. */
const MAX_RECORD_BYTES = 256 * 1024 ** 2;
const CHUNK_BYTES = 1024 ** 2;

/** An item of an array in the file's object; `member` is '' if the file is an array itself. */
export interface JsonRecord {
  member: string;
  value: unknown;
}

/**
 * The arrays of records in a JSON file, by member ('' for the file itself). `ifMissing`: the error
 * if the file has none of them.
 */
interface WantedRecords {
  members: readonly string[];
  ifMissing: Reason;
}

/**
 * The records of the wanted arrays of a JSON file, in order, in batches. Throws `bad-request` for
 * another kind of file, `not-a-file`, `cancelled`.
 */
export async function* jsonRecords(
  path: string,
  size: number,
  { members, ifMissing }: WantedRecords,
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
    if (!scanner.hasArray) throw new NotJson(ifMissing);
  } catch (error) {
    throwIfCanceled(signal);
    if (error instanceof NotJson)
      throw new CodedError('bad-request', error.message, { reason: error.reason, subject: path });
    throw isCoded(error) ? error : unreadableFile(error, path);
  }
}

class RecordArrays {
  private readonly json: JsonMembers;
  /** Whether any wanted array was found, even an empty one. */
  hasArray = false;
  private records: JsonRecord[] = [];

  constructor(members: ReadonlySet<string>) {
    this.json = new JsonMembers({
      member: (name, first) =>
        members.has(name) && first === Ascii.OpenBracket ? this.beginArray(name) : 'skip',
      ...(members.has('') && { array: () => this.beginArray('') }),
    });
  }

  /** The records that end in these bytes. Throws NotJson. */
  push(bytes: Uint8Array, isLast: boolean): readonly JsonRecord[] {
    if (this.json.unread + bytes.length > MAX_RECORD_BYTES)
      throw new NotJson(reason('An object is larger than 256 MB'));
    this.records = [];
    this.json.push(bytes, isLast);
    return this.records;
  }

  private beginArray(member: string): ValueStep {
    const { cursor } = this.json;
    cursor.position++;
    this.hasArray = true;
    let expected: 'first-item' | 'item' | 'after-item' = 'first-item';
    return () => {
      if (expected === 'item') {
        cursor.peek();
        const start = cursor.position;
        cursor.skipFromStart();
        const value: unknown = JSON.parse(textOf(cursor.bytes, start, cursor.position));
        this.records.push({ member, value });
        expected = 'after-item';
        return 'more';
      }
      if (expected === 'first-item') {
        if (cursor.takeIf(Ascii.CloseBracket)) return 'end';
      } else if (!cursor.takeIf(Ascii.Comma)) {
        cursor.take(Ascii.CloseBracket);
        return 'end';
      }
      expected = 'item';
      return 'more';
    };
  }
}
