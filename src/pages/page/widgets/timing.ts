/** Runs a task at most once a frame, however often it is scheduled. */
export class FrameQueue {
  private frame: number | undefined;

  constructor(private readonly task: () => void) {}

  schedule(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.task();
    });
  }
}

/** Runs a task at once, and again after at least `interval` milliseconds. */
export class SpacedTask {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isScheduled = false;

  constructor(
    private readonly task: () => void,
    private readonly interval: number,
  ) {}

  schedule(): void {
    this.isScheduled = true;
    if (this.timer === undefined) this.run();
  }

  /** Runs the task now, whenever it ran last. */
  runNow(): void {
    this.cancel();
    this.run();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isScheduled = false;
  }

  private run(): void {
    this.isScheduled = false;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isScheduled) this.run();
    }, this.interval);
    this.task();
  }
}

/** Sends the latest value, at most once a frame and only if it changed. */
export class LatestValue<T> {
  private sent: T;
  private latest: T;
  private readonly queue = new FrameQueue(() => {
    if (this.isSame(this.latest, this.sent)) return;
    this.sent = this.latest;
    this.send(this.latest);
  });

  constructor(
    first: T,
    private readonly send: (value: T) => void,
    private readonly isSame: (a: T, b: T) => boolean = Object.is,
  ) {
    this.sent = first;
    this.latest = first;
  }

  set(value: T): void {
    this.latest = value;
    if (!this.isSame(value, this.sent)) this.queue.schedule();
  }
}

/** Resolves once the page's current state is painted; in a hidden page, once it is shown. */
export function afterPaint(): Promise<void> {
  return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
}

const TYPING_PAUSE = 300;

/** Runs something once the user pauses typing. */
export class TypingDebounce {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly run: () => void) {}

  /** Call it for each key; it cancels earlier calls. */
  readonly typed = (): void => {
    this.cancel();
    this.timer = setTimeout(this.run, TYPING_PAUSE);
  };

  cancel(): void {
    clearTimeout(this.timer);
  }
}
