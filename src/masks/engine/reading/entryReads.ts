import type { EntrySoFar } from '../entry/entryScanner';
import type { EntryWatch } from '../entry/readImageEntry';

/** The read of an entry, under way or done. */
export class EntryRead<T> {
  isDone = false;
  soFar: EntrySoFar | undefined;
  readonly outcome: Promise<T>;
  private advance: () => void = () => undefined;
  private next = this.nextProgress();

  constructor(
    read: (watch: EntryWatch) => Promise<T>,
    hold: (read: EntryRead<T>) => Promise<unknown> | undefined,
  ) {
    const watch: EntryWatch = {
      onSlice: soFar => {
        this.soFar = soFar;
        this.progress();
      },
      hold: () => hold(this),
    };
    this.outcome = read(watch).finally(() => {
      this.isDone = true;
      this.soFar = undefined;
      this.progress();
    });
    // Whoever awaits the outcome handles the error.
    this.outcome.catch(() => undefined);
  }

  /** Resolves when more was read. */
  progressed(): Promise<void> {
    return this.next;
  }

  private progress(): void {
    const { advance } = this;
    this.next = this.nextProgress();
    advance();
  }

  private nextProgress(): Promise<void> {
    return new Promise(resolve => (this.advance = resolve));
  }
}

/** Reads each entry of an archive once. The other reads wait for the preferred one. */
export class EntryReads<T> implements AsyncDisposable {
  private readonly reads = new Map<number, EntryRead<T>>();
  private preferred: EntryRead<T> | undefined;
  private isAhead = false;

  constructor(private readonly read: (at: number, watch: EntryWatch) => Promise<T>) {}

  /** Whether an entry was read before earlier ones. */
  get isOutOfOrder(): boolean {
    return this.isAhead;
  }

  /** The read of an entry; starts it unless it has started. */
  get(at: number): EntryRead<T> {
    let read = this.reads.get(at);
    if (!read) {
      read = new EntryRead(
        watch => this.read(at, watch),
        waiting => (waiting === this.preferred ? undefined : this.preferredRead()),
      );
      this.reads.set(at, read);
    }
    return read;
  }

  /** As `get`; the other reads wait for it from now on. */
  prefer(at: number): EntryRead<T> {
    if (!this.reads.has(at)) this.isAhead = true;
    return (this.preferred = this.get(at));
  }

  /** Resolves when the preferred read has ended; undefined if there is none. */
  preferredRead(): Promise<unknown> | undefined {
    const { preferred } = this;
    return preferred && !preferred.isDone ? settled(preferred) : undefined;
  }

  /** Waits for reads under way, which need the open archive. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.reads.values()].map(read => settled(read)));
  }

  has(at: number): boolean {
    return this.reads.has(at);
  }
}

function settled<T>({ outcome }: EntryRead<T>): Promise<unknown> {
  return outcome.then(
    () => undefined,
    () => undefined,
  );
}
