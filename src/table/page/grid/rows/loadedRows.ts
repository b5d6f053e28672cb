/** Milliseconds after which rows are scrolled to even without their cells. */
export const MAX_WAIT = 100;

/** Waits for rows before they are scrolled to: drawing them first without and then with their cells takes twice as long. */
export class LoadedRows {
  private readonly waiting = new Set<() => void>();

  /** `isLoaded` may make the grid request the row. */
  constructor(private readonly isLoaded: (position: number) => boolean) {}

  /** Resolves once all rows at these positions are loaded, or after MAX_WAIT. */
  async wait(positions: readonly number[]): Promise<void> {
    // All are looked at, so that all are requested.
    const areLoaded = () => positions.map(this.isLoaded).every(Boolean);
    if (areLoaded()) return;
    await new Promise<void>(resolve => {
      const check = () => {
        if (areLoaded()) done();
      };
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve();
      };
      const timer = setTimeout(done, MAX_WAIT);
      this.waiting.add(check);
    });
  }

  /** More rows are loaded. */
  changed(): void {
    for (const check of [...this.waiting]) check();
  }
}
