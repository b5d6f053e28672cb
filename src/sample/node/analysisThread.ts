import { Worker } from 'node:worker_threads';
import {
  canceledError,
  CodedError,
  fromPlainError,
  type PlainError,
  throwIfCanceled,
} from '../../base/errors';
import { reason } from '../../base/reasons';

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

/** One image of a job as the thread needs it. */
export interface ThreadImage {
  /** ID of the filesystem item. */
  imageId: string;
  /** Slash-separated folder path and file name. */
  origin: string;
  /** Where the ImageResult is stored as JSON. */
  resultPath: string;
}

/** Tasks of the worker thread, one at a time. Paths are absolute. */
export interface ThreadTasks {
  /** Analyses the image at `path` and writes its ImageResult. */
  analyze: {
    params: { pipelineId: string; path: string; fileName: string; resultPath: string };
    result: Record<string, never>;
  };
  /** Writes both CSV reports of a job. */
  report: {
    params: { images: ThreadImage[]; name: string; objectsPath: string; aggregatePath: string };
    result: Record<string, never>;
  };
  /** Writes one image's entry of a masks archive. */
  masksEntry: {
    params: {
      imageId: string;
      fileName: string;
      resultPath: string;
      maskShape: 'cropped' | 'full-frame';
      entryPath: string;
    };
    result: Record<string, never>;
  };
  /** Zips the entries and their index. */
  masksArchive: {
    params: {
      resultId: string;
      dateRun: string;
      classNames: readonly string[];
      entries: { imageId: string; path: string }[];
      path: string;
    };
    result: Record<string, never>;
  };
  /** Writes the sample images into a folder; existing files are not changed. */
  images: {
    params: { directory: string };
    result: { images: { name: string; path: string; size: number }[] };
  };
}

export type ThreadTaskName = keyof ThreadTasks;

/** The message to the thread. */
export interface ThreadRequest<K extends ThreadTaskName = ThreadTaskName> {
  task: K;
  params: ThreadTasks[K]['params'];
}

/** The thread's message back, once for each request. */
export type ThreadResponse = { ok: true; result: unknown } | { ok: false; error: PlainError };
