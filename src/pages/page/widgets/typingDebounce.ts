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
