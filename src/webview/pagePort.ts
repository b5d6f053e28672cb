import { toDisposable, type Disposable } from '../base/disposable';
import type { RpcMessage, RpcPort } from '../protocol/rpc';
import type { WebviewApi } from 'vscode-webview';

/** Milliseconds. Short: what is written while the page is being taken away is lost. */
const MOMENT = 20;

/** What a page keeps over a tab switch and a reload: its own view, and what its panel asked it to keep. */
export interface KeptState<View> {
  keep?: unknown;
  view?: Partial<View>;
}

/** The page's way to its panel, and to the state VS Code keeps for it. One per page. */
export class PagePort<View extends object> implements RpcPort {
  private state: KeptState<View>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly api: WebviewApi<KeptState<View>>) {
    this.state = api.getState() ?? {};
    // A page that is hidden may be gone for good: what waits is written first.
    addEventListener('pagehide', () => this.flush());
    document.addEventListener('visibilitychange', () => this.flush());
  }

  post(message: RpcMessage): void {
    this.api.postMessage(message);
  }

  onMessage(listener: (message: RpcMessage) => void): Disposable {
    const heard = (event: MessageEvent<unknown>) => {
      if (isRpcMessage(event.data)) listener(event.data);
    };
    addEventListener('message', heard);
    return toDisposable(() => removeEventListener('message', heard));
  }

  /** The view as it was when the page was last shown. */
  get view(): Partial<View> {
    return this.state.view ?? {};
  }

  /** Keeps changes of the view; those of one moment are written together. */
  keepView(changes: Partial<View>): void {
    this.state = { ...this.state, view: { ...this.state.view, ...changes } };
    this.timer ??= setTimeout(() => this.flush(), MOMENT);
  }

  /** Keeps what the panel wants back after a reload. */
  keepForPanel(keep: unknown): void {
    this.state = { ...this.state, keep };
    this.api.setState(this.state);
  }

  private flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.api.setState(this.state);
  }
}

function isRpcMessage(data: unknown): data is RpcMessage {
  return typeof data === 'object' && data !== null && 'kind' in data && typeof data.kind === 'string';
}
