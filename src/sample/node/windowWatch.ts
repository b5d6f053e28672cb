import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The protocol of windows' upgrade requests. Web pages can only request `websocket`. */
export const WINDOW_PROTOCOL = 'image-analysis-window';

/** The path of windows' upgrade requests. */
export const WINDOW_PATH = '/sample/window';

const ACCEPTED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${WINDOW_PROTOCOL}\r\n\r\n`;

/**
 * Watches the windows that use the service. Each window keeps a connection open as long as it runs;
 * the operating system closes the connection even if the window crashes. Calls `onGone` after
 * `milliseconds` without a connection, unless `stays` then returns true.
 */
export class WindowWatch {
  private readonly connections = new Set<Duplex>();
  private timer: NodeJS.Timeout | undefined;
  private isWatching = false;
  private isDisposed = false;

  constructor(
    private readonly milliseconds: number,
    private readonly stays: () => boolean,
    private readonly onGone: () => void,
  ) {}

  /** Starts watching, with time for the first window to connect. */
  begin(): void {
    this.isWatching = true;
    this.restartTimer();
  }

  /** Accepts a window's upgrade request. The connection needs no key and transfers no data. */
  accept(request: IncomingMessage, socket: Duplex, hosts: readonly string[]): void {
    const { method, url, headers } = request;
    const isWindow = method === 'GET' && url === WINDOW_PATH && headers.upgrade === WINDOW_PROTOCOL;
    socket.on('error', () => undefined);
    const isHostAllowed = hosts.includes(headers.host?.toLowerCase() ?? '');
    if (!isWindow || !isHostAllowed || this.isDisposed) {
      socket.destroy();
      return;
    }
    clearTimeout(this.timer);
    this.connections.add(socket);
    socket.once('close', () => {
      this.connections.delete(socket);
      this.restartTimer();
    });
    // A window sends nothing, but without a reader the end of the connection would not be noticed.
    socket.resume();
    socket.once('end', () => socket.destroy());
    socket.write(ACCEPTED);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const socket of this.connections) socket.destroy();
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    if (!this.isWatching || this.isDisposed || this.connections.size > 0) return;
    this.timer = setTimeout(() => {
      if (!this.stays()) this.onGone();
    }, this.milliseconds);
  }
}
