import type { Entry } from 'yauzl';
import { CodedError } from '../../base/errors';
import type { MasksArchive } from './masksArchive';

/** Entries that are inflated at the same time, by as many threads. */
const AT_ONCE = 4;

/** Entries of an archive that are needed one after the other: small ones are inflated ahead, several at a time. */
export class EntryQueue implements AsyncDisposable {
  private readonly ahead = new Map<number, Promise<Uint8Array[]>>();
  private next = 0;

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
    this.ahead.delete(at);
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
    for (; this.next < this.entries.length && this.next < from + AT_ONCE; this.next++) {
      const entry = this.entries[this.next];
      if (!entry || !this.archive.isSmall(entry)) continue;
      const bytes = this.collect(entry);
      // Whoever comes to this entry hears of its failure.
      bytes.catch(() => undefined);
      this.ahead.set(this.next, bytes);
    }
  }

  private async collect(entry: Entry): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.archive.chunks(entry, this.signal)) chunks.push(chunk);
    return chunks;
  }
}
