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

/** What one side offers: requests it handles and events it sends. */
export interface RpcSide {
  requests: Record<string, { params: unknown; result: unknown }>;
  events: Record<string, unknown>;
}

/** A handler for each request of a part of a side. */
export type RequestHandlers<R extends { [M in keyof R]: { params: unknown; result: unknown } }> = {
  [M in keyof R]: (params: R[M]['params'], signal: AbortSignal) => Promise<R[M]['result']> | R[M]['result'];
};

/** Handlers of these requests that `load` gives at each of them; it is called in their order. */
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

/** Sends requests of the other side, or of a part of it. */
export interface Requester<R extends { [M in keyof R]: { params: unknown; result: unknown } }> {
  request<M extends keyof R & string>(
    method: M,
    params: R[M]['params'],
    signal?: AbortSignal,
  ): Promise<R[M]['result']>;
}

/** A way to post messages to the other side and to hear from it. */
export interface RpcPort {
  post(message: RpcMessage, transfer?: ArrayBuffer[]): void;
  onMessage(listener: (message: RpcMessage) => void): Disposable;
}

/** ArrayBuffers to move rather than copy with a response; found at the top level of the value. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).filter(field => field instanceof ArrayBuffer);
}

/**
 * One end of a two-way conversation. Every request gets a response, which may be an error; a
 * request can be canceled by its signal; what arrives after the end is dropped. `Local` is what
 * this end offers, `Remote` what the other does.
 */
export class RpcEndpoint<Local extends RpcSide, Remote extends RpcSide> implements Disposable {
  private nextId: number;
  /** IDs of requests sent before this end existed, by method, until they are made here. */
  private readonly sent: Map<string, number>;
  private readonly pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private readonly running = new Map<number, AbortController>();
  private readonly listeners = new Map<string, Set<(value: unknown) => void>>();
  private readonly subscription: Disposable;
  private ended: Error | undefined;

  /** `sent`: methods of requests already sent for this end, without parameters, IDs from 1 on. */
  constructor(
    private readonly port: RpcPort,
    private readonly handlers: Handlers<Local>,
    sent: readonly (keyof Remote['requests'] & string)[] = [],
  ) {
    this.sent = new Map(sent.map((method, at) => [method, at + 1]));
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
    const sentId = this.sent.get(method);
    this.sent.delete(method);
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

  /** Hears an event of the other side. */
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

  /** Ends the conversation: pending requests reject with `reason`, handlers are canceled. */
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
        this.take(message.id)?.resolve(message.value);
        return;
      case 'error':
        this.take(message.id)?.reject(fromPlainError(message.error));
        return;
      case 'event':
        for (const listener of [...(this.listeners.get(message.name) ?? [])]) listener(message.value);
    }
  }

  private take(id: number) {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    return waiting;
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
