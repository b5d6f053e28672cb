import { Worker } from 'node:worker_threads';
import { cancelledError, CodedError, fromPlainError, throwIfCancelled } from '../base/errors';
import type { ThreadAnswer, ThreadTaskName, ThreadTasks } from './threadMessages';

/**
 * The service's side of one worker thread, so that no analysis keeps requests waiting. A thread that dies fails the task
 * at hand with `job-failed` and the reason; the service lives on.
 */
export class AnalysisThread {
  private readonly worker: Worker;
  private pending: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  private ended: Error | undefined;

  /** `file` is a bundle of main.ts. */
  constructor(file: string) {
    // Its own output streams, unread: nothing the thread prints reaches the ready line's stream.
    this.worker = new Worker(file, { stdout: true, stderr: true });
    this.worker.stdout.resume();
    this.worker.stderr.resume();
    this.worker.on('message', (answer: ThreadAnswer) => {
      const waiting = this.take();
      if (answer.ok) waiting?.resolve(answer.result);
      else waiting?.reject(fromPlainError(answer.error));
    });
    this.worker.on('messageerror', error => this.end(stopped(error.message)));
    this.worker.on('error', error =>
      this.end(stopped(error instanceof Error ? error.message : String(error))),
    );
    this.worker.on('exit', code => this.end(stopped(`exit code ${code}`)));
  }

  /** Runs one task to its end. When the signal fires the thread is killed: it cannot be used again. */
  async run<K extends ThreadTaskName>(
    task: K,
    params: ThreadTasks[K]['params'],
    signal: AbortSignal,
  ): Promise<ThreadTasks[K]['result']> {
    throwIfCancelled(signal);
    if (this.ended) throw this.ended;
    if (this.pending) throw new Error('The analysis thread does one task at a time');
    const onAbort = () => {
      this.end(cancelledError());
      void this.worker.terminate();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await new Promise<unknown>((resolve, reject) => {
        this.pending = { resolve, reject };
        this.worker.postMessage({ task, params });
      });
      return result as ThreadTasks[K]['result'];
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the thread; resolves when it is gone. */
  async close(): Promise<void> {
    this.end(cancelledError());
    await this.worker.terminate();
  }

  private end(reason: Error): void {
    this.ended ??= reason;
    this.take()?.reject(this.ended);
  }

  private take() {
    const waiting = this.pending;
    this.pending = undefined;
    return waiting;
  }
}

function stopped(reason: string): CodedError {
  return new CodedError('job-failed', `The analysis stopped unexpectedly (${reason})`, { reason });
}
