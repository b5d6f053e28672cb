import type { Socket } from 'node:net';
import type { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';

/** Longer messages, in UTF-16 units, end the link. A job with all its texts is far shorter, see followedJob. */
const MAX_MESSAGE = 1024 * 1024;

/** A link whose other side leaves more than this unread, in bytes, is closed. */
const MAX_UNREAD = 8 * 1024 * 1024;

/**
 * One end of a socket between two windows. Messages are JSON, one on each line; an empty line is a heartbeat. What the
 * other side sends is bounded but not validated. A link that breaks closes, whatever the cause.
 */
export class MessageLink implements Disposable {
  private readonly received = new Emitter<unknown>();
  private readonly heard = new Emitter<void>();
  private readonly closed = new Emitter<void>();
  private rest = '';

  readonly onDidReceive = this.received.event;
  /** Anything came from the other side, a message or a heartbeat. */
  readonly onDidHear = this.heard.event;
  readonly onDidClose = this.closed.event;

  constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.read(text));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.closed.fire());
  }

  send(message: unknown): void {
    this.write(JSON.stringify(message));
  }

  beat(): void {
    this.write('');
  }

  /** Closes the link if nothing passes for so long; 0 waits forever. */
  setPatience(milliseconds: number): void {
    this.socket.setTimeout(milliseconds, () => this.socket.destroy());
  }

  dispose(): void {
    this.socket.destroy();
  }

  private write(line: string): void {
    if (this.socket.destroyed) return;
    if (this.socket.writableLength > MAX_UNREAD) this.socket.destroy();
    else this.socket.write(`${line}\n`);
  }

  private read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    this.heard.fire();
    for (const line of lines) {
      if (this.socket.destroyed) return;
      if (line !== '') this.receive(line);
    }
    if (this.rest.length > MAX_MESSAGE) this.socket.destroy();
  }

  private receive(line: string): void {
    try {
      if (line.length > MAX_MESSAGE) throw new RangeError('The message is too long');
      this.received.fire(JSON.parse(line));
    } catch {
      this.socket.destroy();
    }
  }
}
