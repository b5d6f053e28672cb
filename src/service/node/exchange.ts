import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { CancelSignal } from '../../base/canceling';

/** A response and its body, or the beginning of it. */
export interface Exchanged {
  status: number;
  headers: IncomingHttpHeaders;
  /** As it was sent, so possibly encoded. */
  body: Buffer;
  /** Whether the body was longer than it may be; the rest was not read. */
  cut: boolean;
}

export interface ExchangeOptions {
  /** How much is read of the body of a response with this status. Bytes. */
  maxBytes: (status: number) => number;
  /** Each of both ends the exchange at once, whatever it waits for. */
  signal?: CancelSignal | undefined;
  deadline?: CancelSignal | undefined;
  onHeaders?: (() => void) | undefined;
}

/**
 * Sends a request and reads the response. Throws what undici does, or an error without a code where a signal fires.
 * Without the stream that undici's own `request` makes of each response, as a short one is over before it pays.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const running = new Exchange(options, resolve, reject);
    if (!running.isOver) dispatcher.dispatch(request, running);
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  isOver = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  /** For the body. Bytes. */
  private room = 0;

  constructor(
    private readonly options: ExchangeOptions,
    private readonly resolve: (exchanged: Exchanged) => void,
    private readonly reject: (error: Error) => void,
  ) {
    const { signal, deadline } = options;
    if (signal?.aborted || deadline?.aborted) {
      this.end();
      return;
    }
    signal?.addEventListener('abort', this.end);
    deadline?.addEventListener('abort', this.end);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It was ended while it waited for a connection: nothing of it is sent.
    if (this.isOver) controller.abort(ended());
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.room = this.options.maxBytes(status);
    this.options.onHeaders?.();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const isCut = chunk.byteLength > this.room;
    this.chunks.push(isCut ? chunk.subarray(0, this.room) : chunk);
    this.room -= chunk.byteLength;
    if (!isCut) return;
    this.finish(true);
    controller.abort(ended());
  }

  onResponseEnd(): void {
    this.finish(false);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.settle()) this.reject(error);
  }

  private finish(cut: boolean): void {
    if (!this.settle()) return;
    const { status, headers, chunks } = this;
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    this.resolve({ status, headers, body, cut });
  }

  private readonly end = () => {
    if (!this.settle()) return;
    this.reject(ended());
    this.controller?.abort(ended());
  };

  /** False where it was settled before. */
  private settle(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.options.signal?.removeEventListener('abort', this.end);
    this.options.deadline?.removeEventListener('abort', this.end);
    return true;
  }
}

function ended(): Error {
  return new Error('The request was ended');
}
