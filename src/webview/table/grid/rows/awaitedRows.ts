/** Milliseconds. Longer than this, rows are better shown without their cells than not at all. */
export const MAX_WAIT = 100;

/** Rows that are waited for before they are scrolled to: drawing them once without and once with their cells takes twice as long. */
export class AwaitedRows {
  private readonly waiting = new Set<() => void>();

  /** `isLoaded` may make the grid request the row. */
  constructor(private readonly isLoaded: (position: number) => boolean) {}

  /** Resolves once all rows at these positions are loaded, or after a tenth of a second. */
  async all(positions: readonly number[]): Promise<void> {
    const areLoaded = () => positions.map(this.isLoaded).every(Boolean);
    if (areLoaded()) return;
    await new Promise<void>(resolve => {
      const look = () => {
        if (areLoaded()) done();
      };
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve();
      };
      const timer = setTimeout(done, MAX_WAIT);
      this.waiting.add(look);
    });
  }

  /** Rows have come. */
  came(): void {
    for (const look of [...this.waiting]) look();
  }
}
