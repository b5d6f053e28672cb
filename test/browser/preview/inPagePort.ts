import { toDisposable } from '../../../src/base/disposable';
import type { RpcMessage, RpcPort } from '../../../src/protocol/rpc';

/**
 * The panel's end of a connection within one page; messages are cloned and arrive later, as they do from a real
 * webview.
 */
export class InPagePort implements RpcPort {
  private readonly listeners = new Set<(message: RpcMessage) => void>();

  constructor(private readonly toPage: (message: unknown) => void) {}

  post(message: RpcMessage): void {
    const copy = structuredClone(message);
    setTimeout(() => this.toPage(copy), 1);
  }

  onMessage(listener: (message: RpcMessage) => void) {
    this.listeners.add(listener);
    return toDisposable(() => this.listeners.delete(listener));
  }

  receive(message: RpcMessage): void {
    const copy = structuredClone(message);
    setTimeout(() => {
      for (const listener of this.listeners) listener(copy);
    }, 1);
  }
}
