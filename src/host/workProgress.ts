/** Shows how far work is; the editor's notifications are one. */
export interface WorkProgress {
  /** `increment` is in percent and adds up. */
  report(step: { message?: string; increment?: number }): void;
}

/** Makes increments out of percentages. A bar can't go back: where a percentage falls, it stays until that is reached again. */
export function percentIncrements(): (percent: number) => number {
  let shown = 0;
  return percent => {
    const increment = Math.max(0, percent - shown);
    shown += increment;
    return increment;
  };
}
