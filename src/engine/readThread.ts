import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { Disposable } from '../base/disposable';

/** How files are read. */
export interface ReadLimits {
  /** Room before and after each file. Bytes. */
  before: number;
  after: number;
  /** Longer files aren't read. */
  maxBytes: number;
}

export interface ReadRequest {
  /** In the order they are to be read in. */
  files: { id: number; path: string }[];
  /** Memory that may be used again. */
  used: ArrayBuffer[];
}

/** What became of a file: its memory, or why it has none. */
export type ReadOutcome =
  | { kind: 'read'; memory: ArrayBuffer; size: number; identity: string }
  | { kind: 'unreadable' | 'not-a-file' | 'changed' | 'too-long' }
  | { kind: 'failed'; message: string };

export type ReadReply = { id: number; outcome: ReadOutcome }[];

/** Begins to read a file in the thread as requests come, and several of them with one message. */
export class ReadThread implements Disposable {
  private readonly worker: Worker;
  private readonly pending = new Map<number, (outcome: ReadOutcome | undefined) => void>();
  private files: ReadRequest['files'] = [];
  private used: ArrayBuffer[] = [];
  private nextId = 1;
  private state: 'starting' | 'running' | 'ended' = 'starting';

  /** `scriptPath` is the bundle of reader.ts. */
  constructor(scriptPath: string, limits: ReadLimits) {
    this.worker = new Worker(scriptPath, {
      name: 'image-analysis-read',
      execArgv: [],
      env: SHARE_ENV,
      // It holds little: most of its memory is outside the heap.
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

  /** Whether files are read without waiting for the thread to start. */
  get isReady(): boolean {
    return this.state === 'running';
  }

  /** Reads a file; undefined where the thread has ended. */
  read(path: string): Promise<ReadOutcome | undefined> {
    if (this.state === 'ended') return Promise.resolve(undefined);
    const id = this.nextId++;
    // All that is requested in this turn of the thread goes in one message.
    if (this.files.push({ id, path }) === 1) queueMicrotask(() => this.post());
    return new Promise(resolve => this.pending.set(id, resolve));
  }

  /** Lets the thread use memory again that nobody reads any more. */
  giveBack(memory: ArrayBuffer): void {
    this.used.push(memory);
  }

  dispose(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    for (const id of [...this.pending.keys()]) this.settle(id, undefined);
    this.used = [];
    // A thread that can't be terminated ends with the process.
    this.worker.terminate().catch(() => undefined);
  }

  private post(): void {
    const { files, used } = this;
    this.files = [];
    this.used = [];
    if (this.state !== 'ended') this.worker.postMessage({ files, used } satisfies ReadRequest, used);
  }

  private settle(id: number, outcome: ReadOutcome | undefined): void {
    this.pending.get(id)?.(outcome);
    this.pending.delete(id);
  }
}
