import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The protocol of windows' upgrade requests. Pages can't request it: WebSockets name theirs. */
export const WINDOW_PROTOCOL = 'image-analysis-window';

/** Where a window's connection is requested. */
export const WINDOW_PATH = '/sample/window';

const ACCEPTED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${WINDOW_PROTOCOL}\r\n\r\n`;

/**
 * The windows that use the service: each has a connection open for as long as it lives, which the
 * system closes even where it crashes. Calls `onGone` once none was open for some time, unless
 * somebody else wants the service by then.
 */
export class WindowWatch {
  private readonly open = new Set<Duplex>();
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
    this.wait();
  }

  /** Keeps the connection of a window's upgrade request. It needs no key, and gets no data. */
  accept(request: IncomingMessage, socket: Duplex, hosts: readonly string[]): void {
    const { method, url, headers } = request;
    const isOurs = method === 'GET' && url === WINDOW_PATH && headers.upgrade === WINDOW_PROTOCOL;
    socket.on('error', () => undefined);
    const isHere = hosts.includes(headers.host?.toLowerCase() ?? '');
    if (!isOurs || !isHere || this.isDisposed) {
      socket.destroy();
      return;
    }
    clearTimeout(this.timer);
    this.open.add(socket);
    socket.once('close', () => {
      this.open.delete(socket);
      this.wait();
    });
    // Nothing is expected; without a reader, its end would not be noticed.
    socket.resume();
    socket.once('end', () => socket.destroy());
    socket.write(ACCEPTED);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const socket of this.open) socket.destroy();
  }

  private wait(): void {
    clearTimeout(this.timer);
    if (!this.isWatching || this.isDisposed || this.open.size > 0) return;
    this.timer = setTimeout(() => {
      if (!this.stays()) this.onGone();
    }, this.milliseconds);
  }
}
