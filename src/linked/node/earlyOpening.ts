/** Opens the content of a page while the page loads. */
export class EarlyOpening<T> {
  private early: Promise<unknown> | undefined;

  /** `open` returns the current state if the content is open already. */
  constructor(private readonly open: () => Promise<T>) {
    this.early = open();
    this.early.catch(() => undefined);
  }

  /** The current state, since the page has missed all changes. The first call rejects if opening failed. */
  async opened(): Promise<T> {
    const { early } = this;
    this.early = undefined;
    await early;
    return this.open();
  }
}
