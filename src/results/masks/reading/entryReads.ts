import type { EntrySoFar } from '../entry/entryScanner';
import type { EntryWatch } from '../entry/readImageEntry';

/** An entry that is being read, or was. */
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
    // Reported where it is waited for.
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

/** The entries of an archive, each read once: one after the other, but the one that somebody looks at first. */
export class EntryReads<T> implements AsyncDisposable {
  private readonly reads = new Map<number, EntryRead<T>>();
  private preferred: EntryRead<T> | undefined;
  private isAhead = false;

  constructor(private readonly read: (at: number, watch: EntryWatch) => Promise<T>) {}

  /** Whether an entry was begun before those that come before it. */
  get isOutOfOrder(): boolean {
    return this.isAhead;
  }

  /** The read of an entry, which begins now if it hasn't. */
  get(at: number): EntryRead<T> {
    let read = this.reads.get(at);
    if (!read) {
      read = new EntryRead(
        watch => this.read(at, watch),
        // The one that is preferred waits for none.
        held => (held === this.preferred ? undefined : this.preferredRead()),
      );
      this.reads.set(at, read);
    }
    return read;
  }

  /** As `get`; others wait for it from now on. */
  prefer(at: number): EntryRead<T> {
    if (!this.reads.has(at)) this.isAhead = true;
    return (this.preferred = this.get(at));
  }

  /** Settles with the read that others wait for; undefined where there is none. */
  preferredRead(): Promise<unknown> | undefined {
    const { preferred } = this;
    return preferred && !preferred.isDone ? settled(preferred) : undefined;
  }

  /** Waits for reads under way: the archive must not be closed before. */
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
