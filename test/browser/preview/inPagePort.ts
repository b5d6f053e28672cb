import { toDisposable } from '../../../src/base/disposable';
import type { RpcMessage, RpcPort } from '../../../src/protocol/rpc';

/**
 * The panel's end of a connection within one page; messages are cloned and arrive later, in their
 * order, as they do from a real webview.
 */
export class InPagePort implements RpcPort {
  private readonly listeners = new Set<(message: RpcMessage) => void>();
  private readonly fromPage = new MessageChannel();
  private readonly fromPanel = new MessageChannel();
  private readonly waiting: (() => void)[] = [];

  constructor(toPage: (message: unknown) => void) {
    this.fromPanel.port1.onmessage = ({ data }) => toPage(data);
    this.fromPage.port1.onmessage = ({ data }: MessageEvent<RpcMessage | 'sent'>) => {
      if (data === 'sent') this.waiting.shift()?.();
      else for (const listener of this.listeners) listener(data);
    };
  }

  post(message: RpcMessage): void {
    this.fromPanel.port2.postMessage(message);
  }

  onMessage(listener: (message: RpcMessage) => void) {
    this.listeners.add(listener);
    return toDisposable(() => this.listeners.delete(listener));
  }

  receive(message: RpcMessage): void {
    this.fromPage.port2.postMessage(message);
  }

  /** Resolves once all that the page has sent so far has arrived. */
  arrived(): Promise<void> {
    return new Promise(resolve => {
      this.waiting.push(resolve);
      this.fromPage.port2.postMessage('sent');
    });
  }
}
