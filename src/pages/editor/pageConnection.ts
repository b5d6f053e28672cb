import type { Webview } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError, isCoded } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import {
  type AnyHandler,
  type PageDeclaration,
  validated,
  validatingHandlers,
} from '../../protocol/declarations';
import { RpcEndpoint, type Handlers, type RpcMessage, type RpcSide } from '../../protocol/rpc';

interface PageConnectionOptions<Panel extends RpcSide, Page extends RpcSide> {
  webview: Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>;
  /** Fires before the page is loaded or reloaded. */
  onWillLoad: Event<void>;
  /** Everything that the page may send; anything else is rejected. */
  declaration: PageDeclaration;
  handlers: Handlers<Panel>;
  /** Subscribes to the events of a new page. */
  listen: (page: RpcEndpoint<Panel, Page>) => void;
  /** The text of an error for users. */
  describe: (error: unknown) => string;
  /** A request failed or an event was invalid, to be logged. */
  failed: (message: string, error: unknown) => void;
}

/**
 * A panel's connection to its page. A page that was hidden or reloaded comes back as a new page,
 * which counts its requests from 1 again. Requests of the previous page are canceled, so that no
 * response reaches the wrong page. Messages are checked against the declaration: an invalid request
 * fails with `bad-request`, an invalid event is logged and dropped.
 */
export class PageConnection<Panel extends RpcSide, Page extends RpcSide> implements Disposable {
  private readonly store = new DisposableStore();
  private readonly handlers: Handlers<Panel>;
  private page:
    | { endpoint: RpcEndpoint<Panel, Page>; incoming: Emitter<RpcMessage>; lastRequest: number }
    | undefined;
  private disposed = false;

  constructor(private readonly options: PageConnectionOptions<Panel, Page>) {
    const { webview, onWillLoad, declaration, handlers } = options;
    const validating = validatingHandlers(declaration, handlers);
    this.handlers = this.describingHandlers(validating) as Handlers<Panel>;
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    // From now on VS Code holds messages for the new page, which reuses the IDs of requests.
    this.store.add(onWillLoad(() => this.endPage()));
  }

  /** Sends an event to the page. The event is lost while there is no page. */
  send<E extends keyof Panel['events'] & string>(name: E, value: Panel['events'][E]): void {
    this.page?.endpoint.send(name, value);
  }

  dispose(): void {
    this.disposed = true;
    this.endPage();
    this.store.dispose();
  }

  private receive(message: unknown): void {
    if (this.disposed || !isRpcMessage(message)) return;
    const isNewPage = message.kind === 'request' && message.id <= (this.page?.lastRequest ?? 0);
    if (!this.page || isNewPage) this.page = this.newPage();
    if (message.kind === 'request') this.page.lastRequest = message.id;
    const checked = message.kind === 'event' ? this.validEvent(message) : message;
    if (checked) this.page.incoming.fire(checked);
  }

  private validEvent(event: Extract<RpcMessage, { kind: 'event' }>): RpcMessage | undefined {
    const { events } = this.options.declaration;
    const { name, value } = event;
    const schema = Object.hasOwn(events, name) ? events[name] : undefined;
    try {
      if (!schema) throw new CodedError('bad-request', `"${name}" isn't declared`);
      return { ...event, value: validated(schema, value, name) };
    } catch (error) {
      this.options.failed(name, error);
      return undefined;
    }
  }

  private endPage(): void {
    this.page?.endpoint.dispose();
    this.page = undefined;
  }

  private newPage() {
    this.endPage();
    const incoming = new Emitter<RpcMessage>();
    const endpoint = new RpcEndpoint<Panel, Page>(
      { post: message => this.post(message), onMessage: incoming.event },
      this.handlers,
    );
    this.options.listen(endpoint);
    return { endpoint, incoming, lastRequest: 0 };
  }

  private post(message: RpcMessage): void {
    if (this.disposed) return;
    // If the page is gone, its response isn't needed.
    this.options.webview.postMessage(message).then(undefined, () => undefined);
  }

  /** Handlers whose errors reach the page with a text for users, and with the code of the error. */
  private describingHandlers(handlers: Readonly<Record<string, AnyHandler>>): Record<string, AnyHandler> {
    const { describe, failed } = this.options;
    const entries = Object.entries(handlers).map(([method, handler]) => [
      method,
      async (params: unknown, signal: AbortSignal) => {
        try {
          return await handler(params, signal);
        } catch (error) {
          if (isCoded(error, 'cancelled')) throw error;
          failed(method, error);
          const message = describe(error);
          throw isCoded(error)
            ? new CodedError(error.code, message, {}, { cause: error })
            : new Error(message);
        }
      },
    ]);
    return Object.fromEntries(entries) as Record<string, AnyHandler>;
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
