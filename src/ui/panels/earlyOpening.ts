/** Opens what a page will request, while the page is loaded. */
export class EarlyOpening<T> {
  private early: Promise<unknown> | undefined;

  /** `open` opens it, or gives it as it is once it is open. */
  constructor(private readonly open: () => Promise<T>) {
    this.early = open();
    this.early.catch(() => undefined);
  }

  /** What is open, as it is now: there was no page to be told what changed since. Rejects once with why it failed early. */
  async opened(): Promise<T> {
    const { early } = this;
    this.early = undefined;
    await early;
    return this.open();
  }
}
