import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { Disposable } from '../base/disposable';

/** How files are read. */
export interface ReadLimits {
  /** Free bytes before and after each file. */
  before: number;
  after: number;
  /** Longer files aren't read. */
  maxBytes: number;
}

export interface ReadRequest {
  /** In the order in which they are read. */
  files: { id: number; path: string }[];
  /** Buffers that can be reused. */
  released: ArrayBuffer[];
}

/** A file's bytes, or why it wasn't read. */
export type ReadOutcome =
  | { kind: 'read'; buffer: ArrayBuffer; size: number; identity: string }
  | { kind: 'unreadable' | 'not-a-file' | 'changed' | 'too-long' }
  | { kind: 'failed'; message: string };

export type ReadReply = { id: number; outcome: ReadOutcome }[];

/** Reads files in a thread. Requests made in the same turn of the event loop share one message. */
export class ReadThread implements Disposable {
  private readonly worker: Worker;
  private readonly pending = new Map<number, (outcome: ReadOutcome | undefined) => void>();
  private files: ReadRequest['files'] = [];
  private released: ArrayBuffer[] = [];
  private nextId = 1;
  private state: 'starting' | 'running' | 'ended' = 'starting';

  /** `scriptPath` is the bundle of reader.ts. */
  constructor(scriptPath: string, limits: ReadLimits) {
    this.worker = new Worker(scriptPath, {
      name: 'image-analysis-read',
      execArgv: [],
      env: SHARE_ENV,
      // Buffers are outside the heap.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
      workerData: limits,
    });
    this.worker.on('online', () => {
      if (this.state === 'starting') this.state = 'running';
    });
    this.worker.on('message', (reply: ReadReply) => {
      for (const { id, outcome } of reply) this.settle(id, outcome);
    });
    const end = () => this.dispose();
    this.worker.on('error', end);
    this.worker.on('messageerror', end);
    this.worker.on('exit', end);
  }

  /** Whether the thread has started, and not ended. */
  get isReady(): boolean {
    return this.state === 'running';
  }

  /** Reads a file; undefined if the thread has ended. */
  read(path: string): Promise<ReadOutcome | undefined> {
    if (this.state === 'ended') return Promise.resolve(undefined);
    const id = this.nextId++;
    if (this.files.push({ id, path }) === 1) queueMicrotask(() => this.post());
    return new Promise(resolve => this.pending.set(id, resolve));
  }

  /** Lets the thread reuse a buffer. Nothing may read it any more. */
  release(buffer: ArrayBuffer): void {
    if (this.state !== 'ended') this.released.push(buffer);
  }

  dispose(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    for (const id of [...this.pending.keys()]) this.settle(id, undefined);
    this.released = [];
    // A thread that can't be terminated ends with the process.
    this.worker.terminate().catch(() => undefined);
  }

  private post(): void {
    const { files, released } = this;
    this.files = [];
    this.released = [];
    if (this.state !== 'ended') this.worker.postMessage({ files, released } satisfies ReadRequest, released);
  }

  private settle(id: number, outcome: ReadOutcome | undefined): void {
    this.pending.get(id)?.(outcome);
    this.pending.delete(id);
  }
}
