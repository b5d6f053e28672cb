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

/** Passes on the latest value, at most once a frame and only when it changed. */
export class LatestValue<T> {
  private sent: T;
  private latest: T;
  private readonly queue = new FrameQueue(() => {
    if (this.same(this.latest, this.sent)) return;
    this.sent = this.latest;
    this.send(this.latest);
  });

  constructor(
    first: T,
    private readonly send: (value: T) => void,
    private readonly same: (a: T, b: T) => boolean = Object.is,
  ) {
    this.sent = first;
    this.latest = first;
  }

  set(value: T): void {
    this.latest = value;
    if (!this.same(value, this.sent)) this.queue.schedule();
  }
}

/** Resolves once the page's current state is painted; in a hidden page, once it is shown. */
export function afterPaint(): Promise<void> {
  return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
}

const PAUSE = 300;

/** What is done once the user has paused in typing. */
export class TypingDebounce {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly run: () => void) {}

  /** Call for each key: earlier calls are forgotten. */
  readonly typed = (): void => {
    this.cancel();
    this.timer = setTimeout(this.run, PAUSE);
  };

  cancel(): void {
    clearTimeout(this.timer);
  }
}
