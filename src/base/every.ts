import { toDisposable, type Disposable } from './disposable';

/** Calls `tick` again and again, `milliseconds` apart, until disposed. */
export function every(milliseconds: number, tick: () => void): Disposable {
  const timer = setInterval(tick, milliseconds);
  return toDisposable(() => clearInterval(timer));
}
