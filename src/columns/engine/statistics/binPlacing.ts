/** Bins of numbers, as many as `bins`, from the least number counted to the greatest. */
export interface BinsBetween {
  min: number;
  max: number;
  bins: number;
  /** See BinLayout. */
  integers?: number;
}

/** Which bin a number from `min` to `max` is in: ⌊(number · by − from) · scale⌋, or the last one if that is less. */
export interface BinPlacing {
  /** One half where the ends differ by more than a double holds, else 1. */
  by: 0.5 | 1;
  from: number;
  scale: number;
}

export function binPlacing({ min, max, bins, integers }: BinsBetween): BinPlacing {
  // So that no integer is rounded into the bin before its own.
  if (integers) return { by: 1, from: min - 0.5, scale: 1 / integers };
  const by = Number.isFinite(max - min) ? 1 : 0.5;
  return { by, from: min * by, scale: max > min ? bins / (max * by - min * by) : 0 };
}
