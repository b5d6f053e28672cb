import { type ReadonlySignal, signal } from '@preact/signals';

/** Milliseconds that a script may take. A served VS Code sometimes never gives a page its files. */
const TIMEOUT = 10_000;

interface LaterScriptOptions<Parts> {
  /** Loads the script, each time at a new address: browsers don't retry one that failed. */
  request: (attempt: number) => Promise<Parts>;
  /** For the log. */
  onFailure: (error: unknown) => void;
}

/** Parts of a page that aren't needed at first: their script loads on first use, or when idle. */
export class LaterScript<Parts> {
  private readonly loaded = signal<Parts | undefined>(undefined);
  private readonly failed = signal(false);
  private loading: Promise<Parts> | undefined;
  private attempts = 0;

  constructor(private readonly options: LaterScriptOptions<Parts>) {}

  /** Undefined until they have come. */
  get parts(): ReadonlySignal<Parts | undefined> {
    return this.loaded;
  }

  /** Whether the last attempt to load them has failed. */
  get hasFailed(): ReadonlySignal<boolean> {
    return this.failed;
  }

  /** Loads the parts, unless they are loaded; rejects if that fails. The next call tries again. */
  load(): Promise<Parts> {
    return (this.loading ??= this.attempt());
  }

  /** The same, where nobody waits for them. */
  begin(): void {
    this.load().catch(() => undefined);
  }

  /** The same, once the page has nothing else to do. */
  beginWhenIdle(): void {
    requestIdleCallback(() => this.begin());
  }

  private async attempt(): Promise<Parts> {
    this.failed.value = false;
    try {
      return (this.loaded.value = await inTime(this.options.request(this.attempts++)));
    } catch (error) {
      this.loading = undefined;
      this.failed.value = true;
      this.options.onFailure(error);
      throw error;
    }
  }
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('A script of the page has not come')), TIMEOUT);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
