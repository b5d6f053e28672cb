import type { Entry } from 'yauzl';
import { CodedError } from '../../../base/errors';
import type { MasksArchive } from './masksArchive';

/** Twice the number of threads that inflate them (libuv's default), so that no thread is idle. */
const MAX_ENTRIES_AHEAD = 8;

/** Inflated bytes that may wait to be read. */
const MAX_BYTES_AHEAD = 16 * 1024 ** 2;

/** Reads entries of an archive one after the other; small ones are inflated ahead, several at a time. */
export class EntryQueue implements AsyncDisposable {
  private readonly ahead = new Map<number, Promise<Uint8Array[]>>();
  private next = 0;
  private bytesAhead = 0;

  constructor(
    private readonly archive: MasksArchive,
    private readonly entries: readonly Entry[],
    private readonly signal?: AbortSignal,
  ) {}

  /** The bytes of entry `at`; see MasksArchive.chunks. */
  async *chunks(at: number): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.entries[at];
    if (!entry) throw new CodedError('bad-request', `No entry ${at}`);
    this.readAhead(at);
    const ready = this.ahead.get(at);
    if (this.ahead.delete(at)) this.bytesAhead -= entry.uncompressedSize;
    if (ready) yield* await ready;
    else yield* this.archive.chunks(entry, this.signal);
  }

  /** Skips entry `at`, which is read in another way; drops it if it was read ahead. */
  skip(at: number): void {
    if (this.ahead.delete(at)) this.bytesAhead -= this.entries[at]?.uncompressedSize ?? 0;
    this.next = Math.max(this.next, at + 1);
  }

  /** Waits for entries that were read ahead: the archive must not be closed before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.ahead.values());
    this.ahead.clear();
  }

  private readAhead(from: number): void {
    this.next = Math.max(this.next, from);
    const end = Math.min(this.entries.length, from + MAX_ENTRIES_AHEAD);
    for (; this.next < end && this.bytesAhead < MAX_BYTES_AHEAD; this.next++) {
      const entry = this.entries[this.next];
      if (!entry || !this.archive.isSmall(entry)) continue;
      const bytes = this.collect(entry);
      // Reported where the entry is read; until then it must not count as an unhandled rejection.
      bytes.catch(() => undefined);
      this.ahead.set(this.next, bytes);
      this.bytesAhead += entry.uncompressedSize;
    }
  }

  private async collect(entry: Entry): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.archive.chunks(entry, this.signal)) chunks.push(chunk);
    return chunks;
  }
}
