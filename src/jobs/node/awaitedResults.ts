import { toDisposable, type Disposable } from '../../base/disposable';
import { keyOf, type JobKey } from './pollRounds';

/**
 * The jobs of an account whose results a person expects in this window: those that were requested here open by themselves when
 * they are done, once. After a reload they are announced like any other.
 */
export class AwaitedResults {
  private readonly opening = new Set<string>();
  private readonly waiting = new Map<string, number>();

  /** The result opens by itself. */
  add(job: JobKey): void {
    this.opening.add(keyOf(job));
  }

  opensItself(job: JobKey): boolean {
    return this.opening.has(keyOf(job));
  }

  /** It has opened, or isn't to any more. */
  delete(job: JobKey): void {
    this.opening.delete(keyOf(job));
  }

  /** A command waits for the job and goes on by itself, until the returned handle is disposed of. */
  wait(job: JobKey): Disposable {
    const key = keyOf(job);
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + 1);
    return toDisposable(() => this.waiting.set(key, (this.waiting.get(key) ?? 1) - 1));
  }

  isWaitedFor(job: JobKey): boolean {
    return (this.waiting.get(keyOf(job)) ?? 0) > 0;
  }
}
