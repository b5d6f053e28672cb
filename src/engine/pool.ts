import { Worker } from 'node:worker_threads';
import { toDisposable, type Disposable } from '../base/disposable';
import { CodedError, cancelledError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { EngineHostSide, EngineSide } from '../protocol/engineProtocol';
import { RpcEndpoint, type RpcMessage, type RpcPort } from '../protocol/rpc';

/**
 * The host's side of one engine thread. When the thread crashes, pending requests reject, later ones too, and onDidCrash
 * fires: whoever owns it starts another.
 */
export class EngineThread implements Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  private readonly worker: Worker;
  private readonly crashed = new Emitter<Error>();
  private ended = false;

  /** `scriptPath` is the bundle of thread.ts; that of scanner.ts stands beside it. */
  constructor(scriptPath: string) {
    // The extension host's own flags, such as a debugger's port, are not for its threads.
    this.worker = new Worker(scriptPath, {
      name: 'image-analysis-engine',
      execArgv: [],
      // It starts a thread itself to read a large table.
      workerData: { script: scriptPath },
    });
    this.endpoint = new RpcEndpoint<EngineHostSide, EngineSide>(this.port(), {});
    this.worker.on('error', error => this.crash(reasonOf(error)));
    this.worker.on('messageerror', error => this.crash(reasonOf(error)));
    this.worker.on('exit', code => this.crash(new Error(`The engine thread ended with code ${code}`)));
  }

  get onDidCrash(): Event<Error> {
    return this.crashed.event;
  }

  /** Ends the thread; pending requests reject with `cancelled`. */
  dispose(): void {
    if (this.ended) return;
    this.ended = true;
    this.endpoint.end(cancelledError());
    this.crashed.dispose();
    this.stopWorker();
  }

  private crash(reason: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.endpoint.end(reason);
    this.stopWorker();
    this.crashed.fire(reason);
    this.crashed.dispose();
  }

  private stopWorker(): void {
    // Nothing can be done about a thread that does not even end; it is gone with the process.
    this.worker.terminate().catch(() => undefined);
  }

  private port(): RpcPort {
    return {
      post: (message, transfer) => this.worker.postMessage(message, transfer),
      onMessage: listener => {
        const heard = (message: RpcMessage) => listener(message);
        this.worker.on('message', heard);
        return toDisposable(() => this.worker.off('message', heard));
      },
    };
  }
}

function reasonOf(error: unknown): Error {
  const inner = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in inner ? inner.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return inner;
  return new CodedError(
    'too-many-objects',
    inner.message,
    { reason: 'The memory was not enough.' },
    { cause: error },
  );
}
