/** Milliseconds since some moment, for intervals: a clock that doesn't jump when the time of the machine is set. */
export function steadyNow(): number {
  return performance.now();
}
