import type { Socket } from 'node:net';

/** Reports when the system has all bytes of a body, so that its memory can be reused. undici doesn't. */
export class WrittenBodies {
  private readonly waiting = new WeakMap<object, () => void>();

  /** Calls `listener` once the body was written to a watched socket in one piece, unless that fails. */
  onceWritten(body: Buffer, listener: () => void): void {
    this.waiting.set(body, listener);
  }

  watch(socket: Socket): Socket {
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = (...args: unknown[]) => {
      const [chunk] = args;
      const listener = args.length === 1 && Buffer.isBuffer(chunk) ? this.waiting.get(chunk) : undefined;
      if (!listener) return write(...args);
      return write(chunk, (error?: Error | null) => {
        if (!error) listener();
      });
    };
    return socket;
  }
}
