import type { WebviewApi } from 'vscode-webview';
import { type Disposable, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { RpcMessage, RpcPort } from '../../protocol/rpc';
import type { EarlyRequests } from '../earlyRequests';

/** Milliseconds until changes are saved. Short, as changes may be lost when the page is closed. */
const WRITE_DELAY = 20;

/** What a page saves for tab switches and reloads. */
export interface SavedState<View> {
  /** The state of the panel. */
  keep?: unknown;
  view?: Partial<View>;
}

/** Connects the page with its panel and with the state that VS Code saves for it. One per page. */
export class PagePort<View extends object> implements RpcPort {
  private state: SavedState<View>;
  private readonly updated = new Emitter<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `convert` converts a view that an earlier version saved; the next change saves it. `early`:
   * requests that the page's HTML has sent, and their responses.
   */
  constructor(
    private readonly api: WebviewApi<SavedState<View>>,
    convert: (saved: object) => Partial<View>,
    private readonly early?: EarlyRequests<unknown>,
  ) {
    this.state = api.getState() ?? {};
    if (this.state.view) this.state = { ...this.state, view: convert(this.state.view) };
    // A hidden page may be closed without another event: writes pending changes now.
    addEventListener('pagehide', () => this.flush());
    document.addEventListener('visibilitychange', () => this.flush());
  }

  post(message: RpcMessage): void {
    this.api.postMessage(message);
  }

  onMessage(listener: (message: RpcMessage) => void): Disposable {
    const { early } = this;
    if (early) return listenInTasks(early, data => isRpcMessage(data) && listener(data));
    const handler = (event: MessageEvent<unknown>) => {
      if (isRpcMessage(event.data)) listener(event.data);
    };
    addEventListener('message', handler);
    return toDisposable(() => removeEventListener('message', handler));
  }

  /** The view as saved when the page was last shown. */
  get view(): Partial<View> {
    return this.state.view ?? {};
  }

  get onDidUpdateView() {
    return this.updated.event;
  }

  /** Saves changes of the view; changes within a short time are written together. */
  updateView(changes: Partial<View>): void {
    this.state = { ...this.state, view: { ...this.state.view, ...changes } };
    this.timer ??= setTimeout(() => this.flush(), WRITE_DELAY);
    this.updated.fire();
  }

  /** Saves the panel's state for a reload. */
  savePanelState(panelState: unknown): void {
    this.state = { ...this.state, keep: panelState };
    this.api.setState(this.state);
  }

  private flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.api.setState(this.state);
  }
}

/**
 * Passes on early messages, then later ones, each in a task of its own, as browsers do: what the
 * page does after one message, such as adding a listener, is done before the next.
 */
function listenInTasks(early: EarlyRequests<unknown>, listener: (data: unknown) => void): Disposable {
  const { messages } = early;
  const channel = new MessageChannel();
  let isWaiting = false;
  const scheduleNext = () => {
    isWaiting = messages.length > 0;
    if (isWaiting) channel.port2.postMessage(undefined);
  };
  const deliverNext = () => {
    const data = messages.shift();
    scheduleNext();
    listener(data);
  };
  channel.port1.onmessage = deliverNext;
  early.arrived = () => {
    if (!isWaiting) deliverNext();
  };
  scheduleNext();
  return toDisposable(() => {
    early.arrived = () => messages.splice(0);
    channel.port1.close();
  });
}

function isRpcMessage(data: unknown): data is RpcMessage {
  return typeof data === 'object' && data !== null && 'kind' in data && typeof data.kind === 'string';
}
