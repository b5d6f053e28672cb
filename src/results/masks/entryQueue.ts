import type { Entry } from 'yauzl';
import { CodedError } from '../../base/errors';
import type { MasksArchive } from './masksArchive';

/** Entries that are read ahead: twice as many as there are threads to inflate them, so that none waits for the next. */
const AT_ONCE = 8;

/** Bytes of them, inflated, that may wait to be taken. */
const MAX_WAITING = 16 * 1024 ** 2;

/** Entries of an archive that are needed one after the other: small ones are inflated ahead, several at a time. */
export class EntryQueue implements AsyncDisposable {
  private readonly ahead = new Map<number, Promise<Uint8Array[]>>();
  private next = 0;
  private waiting = 0;

  constructor(
    private readonly archive: MasksArchive,
    private readonly entries: readonly Entry[],
    private readonly signal?: AbortSignal,
  ) {}

  /** The bytes of entry `at`; see MasksArchive.chunks. */
  async *chunks(at: number): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.entries[at];
    if (!entry) throw new CodedError('bad-request', `There is no entry ${at}`);
    this.readAhead(at);
    const ready = this.ahead.get(at);
    if (this.ahead.delete(at)) this.waiting -= entry.uncompressedSize;
    if (ready) yield* await ready;
    else yield* this.archive.chunks(entry, this.signal);
  }

  /** Waits for what was read ahead and is not needed: the archive must not be closed under it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.ahead.values());
    this.ahead.clear();
  }

  private readAhead(from: number): void {
    this.next = Math.max(this.next, from);
    const end = Math.min(this.entries.length, from + AT_ONCE);
    for (; this.next < end && this.waiting < MAX_WAITING; this.next++) {
      const entry = this.entries[this.next];
      if (!entry || !this.archive.isSmall(entry)) continue;
      const bytes = this.collect(entry);
      // Whoever comes to this entry hears of its failure.
      bytes.catch(() => undefined);
      this.ahead.set(this.next, bytes);
      this.waiting += entry.uncompressedSize;
    }
  }

  private async collect(entry: Entry): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.archive.chunks(entry, this.signal)) chunks.push(chunk);
    return chunks;
  }
}
