import { Worker } from 'node:worker_threads';
import { toDisposable } from '../../base/disposable';
import { CodedError, canceledError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { Emitter, type Event } from '../../base/event';
import type { Engine, EngineHostSide, EngineSide } from '../engineProtocol';
import { RpcEndpoint, type RpcMessage, type RpcPort } from '../../protocol/rpc';

/**
 * The host's side of an engine thread. On a crash, pending and later requests reject, and
 * onDidCrash fires so that the owner can start another thread.
 */
export class EngineThread implements Engine {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  private readonly worker: Worker;
  private readonly crashed = new Emitter<Error>();
  private hasEnded = false;

  /** `scriptPath` is the bundle of thread.ts; the bundle of scanner.ts is next to it. */
  constructor(scriptPath: string) {
    this.worker = new Worker(scriptPath, {
      name: 'image-analysis-engine',
      // Don't inherit flags of the extension host, such as a debugger's port.
      execArgv: [],
      // The engine starts the scanning thread from the same folder.
      workerData: { script: scriptPath },
    });
    this.endpoint = new RpcEndpoint<EngineHostSide, EngineSide>(this.port(), {});
    this.worker.on('error', error => this.crash(errorOf(error)));
    this.worker.on('messageerror', error => this.crash(errorOf(error)));
    this.worker.on('exit', code => this.crash(new Error(`The engine thread ended with code ${code}`)));
  }

  get onDidCrash(): Event<Error> {
    return this.crashed.event;
  }

  /** Ends the thread; pending requests reject with `cancelled`. */
  dispose(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.endpoint.end(canceledError());
    this.crashed.dispose();
    this.stopWorker();
  }

  private crash(error: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.endpoint.end(error);
    this.stopWorker();
    this.crashed.fire(error);
    this.crashed.dispose();
  }

  private stopWorker(): void {
    // A thread that can't be terminated ends with the process.
    this.worker.terminate().catch(() => undefined);
  }

  private port(): RpcPort {
    return {
      post: (message, transfer) => this.worker.postMessage(message, transfer),
      onMessage: listener => {
        const handleMessage = (message: RpcMessage) => listener(message);
        this.worker.on('message', handleMessage);
        return toDisposable(() => this.worker.off('message', handleMessage));
      },
    };
  }
}

function errorOf(error: unknown): Error {
  const inner = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in inner ? inner.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return inner;
  return new CodedError(
    'too-many-objects',
    inner.message,
    { reason: reason('Not enough memory') },
    { cause: error },
  );
}
