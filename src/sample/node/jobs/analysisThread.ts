import { Worker } from 'node:worker_threads';
import { canceledError, CodedError, fromPlainError, throwIfCanceled } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import type { ThreadResponse, ThreadTaskName, ThreadTasks } from './threadMessages';

/**
 * The service's side of one worker thread, so that no analysis delays requests. A thread that crashes fails its
 * task with `job-failed` and the reason; the service continues.
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
    this.worker.on('message', (response: ThreadResponse) => {
      const waiting = this.removePending();
      if (response.ok) waiting?.resolve(response.result);
      else waiting?.reject(fromPlainError(response.error));
    });
    this.worker.on('messageerror', error => this.end(stopped(error.message)));
    this.worker.on('error', error =>
      this.end(stopped(error instanceof Error ? error.message : String(error))),
    );
    this.worker.on('exit', code => this.end(stopped(`exit code ${code}`)));
  }

  /** Runs one task to its end. When the signal fires, the thread is killed and can't be used again. */
  async run<K extends ThreadTaskName>(
    task: K,
    params: ThreadTasks[K]['params'],
    signal: AbortSignal,
  ): Promise<ThreadTasks[K]['result']> {
    throwIfCanceled(signal);
    if (this.ended) throw this.ended;
    if (this.pending) throw new Error('The analysis thread does one task at a time');
    const onAbort = () => {
      this.end(canceledError());
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

  /** Ends the thread; resolves when it has exited. */
  async close(): Promise<void> {
    this.end(canceledError());
    await this.worker.terminate();
  }

  private end(reason: Error): void {
    this.ended ??= reason;
    this.removePending()?.reject(this.ended);
  }

  private removePending() {
    const waiting = this.pending;
    this.pending = undefined;
    return waiting;
  }
}

function stopped(why: string): CodedError {
  const message = `The analysis stopped unexpectedly (${why})`;
  return new CodedError('job-failed', message, { reason: reason('quoted', message) });
}
