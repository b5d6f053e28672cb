import { type Disposable, toDisposable } from './disposable';

/** Calls `tick` again and again, `milliseconds` apart, until disposed. */
export function every(milliseconds: number, tick: () => void): Disposable {
  const timer = setInterval(tick, milliseconds);
  return toDisposable(() => clearInterval(timer));
}

/** Milliseconds for measuring intervals: this clock doesn't jump when the system time is set. */
export function steadyNow(): number {
  return performance.now();
}
