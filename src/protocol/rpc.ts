import { toDisposable, type Disposable } from '../base/disposable';
import { canceledError, fromPlainError, toPlainError, type PlainError } from '../base/errors';

/**
 * Messages between host and thread, and between panel and page. All is JSON, except that a value
 * may hold ArrayBuffers (never views, at most 4 MB in one message).
 */
export type RpcMessage =
  | { kind: 'request'; id: number; method: string; params: unknown }
  | { kind: 'cancel'; id: number }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: PlainError }
  | { kind: 'event'; name: string; value: unknown };

/** The requests that one side handles and the events that it sends. */
export interface RpcSide {
  requests: Record<string, { params: unknown; result: unknown }>;
  events: Record<string, unknown>;
}

/** A handler for each of the given requests. */
export type RequestHandlers<R extends { [M in keyof R]: { params: unknown; result: unknown } }> = {
  [M in keyof R]: (params: R[M]['params'], signal: AbortSignal) => Promise<R[M]['result']> | R[M]['result'];
};

/**
 * Handlers whose code each request gets from `load`. If that is always the same promise, requests
 * are handled in the order in which they came.
 */
export function handlersLoadedLater<R extends { [M in keyof R]: { params: unknown; result: unknown } }>(
  names: Readonly<Record<keyof R, true>>,
  load: () => Promise<RequestHandlers<R>>,
): RequestHandlers<R> {
  const handlerOf = <M extends keyof R>(name: M): RequestHandlers<R>[M] => {
    return async (params, signal) => (await load())[name](params, signal);
  };
  const handlers: Partial<RequestHandlers<R>> = {};
  for (const name in names) handlers[name] = handlerOf(name);
  return handlers as RequestHandlers<R>;
}

export type Handlers<S extends RpcSide> = RequestHandlers<S['requests']>;

/** Sends some of the requests that the other side handles. */
export interface Requester<R extends { [M in keyof R]: { params: unknown; result: unknown } }> {
  request<M extends keyof R & string>(
    method: M,
    params: R[M]['params'],
    signal?: AbortSignal,
  ): Promise<R[M]['result']>;
}

/** Posts messages to the other side and receives its messages. */
export interface RpcPort {
  post(message: RpcMessage, transfer?: ArrayBuffer[]): void;
  onMessage(listener: (message: RpcMessage) => void): Disposable;
}

/** ArrayBuffers at the top level of a response, which are moved instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).filter(field => field instanceof ArrayBuffer);
}

/**
 * One end of a two-way connection. Every request gets a response, which may be an error. A signal
 * can cancel a request. Messages after the end are dropped. `Local` is this side, `Remote` the
 * other.
 */
export class RpcEndpoint<Local extends RpcSide, Remote extends RpcSide> implements Disposable {
  private nextId: number;
  /** IDs of requests that were sent before this end existed, by method; `request` takes them. */
  private readonly sentIds: Map<string, number>;
  private readonly pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private readonly running = new Map<number, AbortController>();
  private readonly listeners = new Map<string, Set<(value: unknown) => void>>();
  private readonly subscription: Disposable;
  private ended: Error | undefined;

  /** `sent`: methods of requests already sent for this end, without parameters, with IDs 1, 2, … */
  constructor(
    private readonly port: RpcPort,
    private readonly handlers: Handlers<Local>,
    sent: readonly (keyof Remote['requests'] & string)[] = [],
  ) {
    this.sentIds = new Map(sent.map((method, index) => [method, index + 1]));
    this.nextId = sent.length + 1;
    this.subscription = port.onMessage(message => this.receive(message));
  }

  /** Sends a request. Rejects with the other side's error, or `cancelled` once the signal fires. */
  request<M extends keyof Remote['requests'] & string>(
    method: M,
    params: Remote['requests'][M]['params'],
    signal?: AbortSignal,
  ): Promise<Remote['requests'][M]['result']> {
    if (this.ended) return Promise.reject(this.ended);
    if (signal?.aborted) return Promise.reject(canceledError());
    const sentId = this.sentIds.get(method);
    this.sentIds.delete(method);
    const id = sentId ?? this.nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.pending.delete(id);
        this.port.post({ kind: 'cancel', id });
        reject(canceledError());
      };
      const settle = () => signal?.removeEventListener('abort', onAbort);
      this.pending.set(id, {
        resolve: value => {
          settle();
          resolve(value);
        },
        reject: error => {
          settle();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      if (sentId === undefined) this.port.post({ kind: 'request', id, method, params });
    });
  }

  /** Notifies the other side, without a response. */
  send<E extends keyof Local['events'] & string>(name: E, value: Local['events'][E]): void {
    if (!this.ended) this.port.post({ kind: 'event', name, value });
  }

  /** Subscribes to an event of the other side. */
  on<E extends keyof Remote['events'] & string>(
    name: E,
    listener: (value: Remote['events'][E]) => void,
  ): Disposable {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    const entry = (value: unknown) => listener(value as Remote['events'][E]);
    listeners.add(entry);
    return toDisposable(() => listeners.delete(entry));
  }

  /** Ends the connection: pending requests reject with `reason`, handlers are canceled. */
  end(reason: Error): void {
    if (this.ended) return;
    this.ended = reason;
    this.subscription.dispose();
    for (const { reject } of this.pending.values()) reject(reason);
    for (const controller of this.running.values()) controller.abort();
    this.pending.clear();
    this.running.clear();
    this.listeners.clear();
  }

  dispose(): void {
    this.end(canceledError());
  }

  private receive(message: RpcMessage): void {
    switch (message.kind) {
      case 'request':
        void this.respond(message.id, message.method, message.params);
        return;
      case 'cancel':
        this.running.get(message.id)?.abort();
        return;
      case 'result':
        this.takePending(message.id)?.resolve(message.value);
        return;
      case 'error':
        this.takePending(message.id)?.reject(fromPlainError(message.error));
        return;
      case 'event':
        for (const listener of [...(this.listeners.get(message.name) ?? [])]) listener(message.value);
    }
  }

  private takePending(id: number) {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private async respond(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      if (!Object.hasOwn(this.handlers, method)) throw new Error(`No handler for "${method}"`);
      const handler = this.handlers[method as keyof Local['requests']];
      const value = await handler(params, controller.signal);
      if (!this.ended) this.port.post({ kind: 'result', id, value }, buffersOf(value));
    } catch (error) {
      if (!this.ended) this.port.post({ kind: 'error', id, error: toPlainError(error) });
    } finally {
      this.running.delete(id);
    }
  }
}
