import { type ReadonlySignal, signal } from '@preact/signals';

/**
 * Milliseconds until loading counts as failed. VS Code for the Web sometimes never delivers a file.
 */
const TIMEOUT = 10_000;

interface LaterScriptOptions<Parts> {
  /** Loads the script, each time from a new address: browsers don't retry a failed one. */
  request: (attempt: number) => Promise<Parts>;
  /** A failure, to be logged. */
  onFailure: (error: unknown) => void;
}

/** A part of the page's code that isn't needed at first: loaded on first use, or when idle. */
export class LaterScript<Parts> {
  private readonly loaded = signal<Parts | undefined>(undefined);
  private readonly failed = signal(false);
  private loading: Promise<Parts> | undefined;
  private attempts = 0;

  constructor(private readonly options: LaterScriptOptions<Parts>) {}

  /** The content of the script; undefined until loaded. */
  get parts(): ReadonlySignal<Parts | undefined> {
    return this.loaded;
  }

  /** Whether the last attempt to load the script failed. */
  get hasFailed(): ReadonlySignal<boolean> {
    return this.failed;
  }

  /** Loads the script unless it is loaded. Rejects on failure; the next call tries again. */
  load(): Promise<Parts> {
    return (this.loading ??= this.attempt());
  }

  /** Starts to load without waiting. */
  begin(): void {
    this.load().catch(() => undefined);
  }

  /** Starts to load once the page is idle. */
  beginWhenIdle(): void {
    requestIdleCallback(() => this.begin());
  }

  private async attempt(): Promise<Parts> {
    this.failed.value = false;
    try {
      return (this.loaded.value = await withTimeout(this.options.request(this.attempts++)));
    } catch (error) {
      this.loading = undefined;
      this.failed.value = true;
      this.options.onFailure(error);
      throw error;
    }
  }
}

async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('A script of the page has not come')), TIMEOUT);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
