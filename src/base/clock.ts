import { type Disposable, toDisposable } from './disposable';

/** Calls `tick` again and again, `milliseconds` apart, until disposed. */
export function every(milliseconds: number, tick: () => void): Disposable {
  const timer = setInterval(tick, milliseconds);
  return toDisposable(() => clearInterval(timer));
}

/** Milliseconds of a clock that doesn't jump when the machine's time is set: for intervals. */
export function steadyNow(): number {
  return performance.now();
}
