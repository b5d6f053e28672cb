import type { Webview } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError, isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import { RpcEndpoint, type Handlers, type RpcMessage, type RpcSide } from '../../protocol/rpc';

/**
 * A panel's line to its page. A page that was hidden or reloaded comes back as a new one that counts its requests from 1
 * again: what its predecessor still waited for is ended, so that no answer reaches the wrong page.
 */
export class PageConnection<Panel extends RpcSide, Page extends RpcSide> implements Disposable {
  private readonly store = new DisposableStore();
  private page:
    { endpoint: RpcEndpoint<Panel, Page>; incoming: Emitter<RpcMessage>; lastRequest: number } | undefined;
  private disposed = false;

  /** `listen` subscribes to the events of a page that has just arrived. */
  constructor(
    private readonly webview: Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>,
    private readonly handlers: Handlers<Panel>,
    private readonly listen: (page: RpcEndpoint<Panel, Page>) => void,
  ) {
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
  }

  /** Tells the page; lost when there is none. */
  send<E extends keyof Panel['events'] & string>(name: E, value: Panel['events'][E]): void {
    this.page?.endpoint.send(name, value);
  }

  dispose(): void {
    this.disposed = true;
    this.page?.endpoint.dispose();
    this.page = undefined;
    this.store.dispose();
  }

  private receive(message: unknown): void {
    if (this.disposed || !isRpcMessage(message)) return;
    const isNewPage = message.kind === 'request' && message.id <= (this.page?.lastRequest ?? 0);
    if (!this.page || isNewPage) this.page = this.newPage();
    if (message.kind === 'request') this.page.lastRequest = message.id;
    this.page.incoming.fire(message);
  }

  private newPage() {
    this.page?.endpoint.dispose();
    const incoming = new Emitter<RpcMessage>();
    const endpoint = new RpcEndpoint<Panel, Page>(
      { post: message => this.post(message), onMessage: incoming.event },
      this.handlers,
    );
    this.listen(endpoint);
    return { endpoint, incoming, lastRequest: 0 };
  }

  private post(message: RpcMessage): void {
    if (this.disposed) return;
    // A page that went away while it was answered does not hear it: nothing is lost.
    this.webview.postMessage(message).then(undefined, () => undefined);
  }
}

function isRpcMessage(message: unknown): message is RpcMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, id, method, name, params } = message as Record<string, unknown>;
  switch (kind) {
    case 'request':
      return (
        Number.isSafeInteger(id) &&
        typeof method === 'string' &&
        typeof params === 'object' &&
        params !== null
      );
    case 'cancel':
    case 'result':
    case 'error':
      return Number.isSafeInteger(id);
    case 'event':
      return typeof name === 'string';
    default:
      return false;
  }
}

/** Handlers whose failures reach the page in the user's words, with their code; each is told to `failed` first. */
export function wordedHandlers<S extends RpcSide>(
  handlers: Handlers<S>,
  describe: (error: unknown) => string,
  failed: (method: string, error: unknown) => void,
): Handlers<S> {
  const worded = Object.entries<Handlers<S>[keyof S['requests']]>(handlers).map(([method, handler]) => [
    method,
    async (params: S['requests'][string]['params'], signal: AbortSignal) => {
      try {
        return await handler(params, signal);
      } catch (error) {
        if (isCoded(error, 'cancelled')) throw error;
        failed(method, error);
        const message = describe(error);
        throw isCoded(error) ? new CodedError(error.code, message, {}, { cause: error }) : new Error(message);
      }
    },
  ]);
  return Object.fromEntries(worded) as Handlers<S>;
}
