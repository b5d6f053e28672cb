import { toDisposable, type Disposable } from './disposable';

/** Subscribes a listener; dispose the result to stop. Assignable to vscode's Event. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** The owner's side of an event. A listener that throws doesn't stop the others. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => unknown>();

  constructor(private readonly onError: (error: unknown) => void = error => console.error(error)) {}

  readonly event: Event<T> = listener => {
    // Each subscription is its own entry, even when the same function is added twice.
    const entry = (value: T) => listener(value);
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  fire(value: T): void {
    if (this.listeners.size === 0) return;
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
