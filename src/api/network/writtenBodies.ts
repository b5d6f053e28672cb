import type { Socket } from 'node:net';

/** Tells when the last byte of a body is with the system, which undici doesn't: its memory may be used again then. */
export class WrittenBodies {
  private readonly waiting = new WeakMap<object, () => void>();

  /** Calls back once the body was written to a watched socket in one piece; not where that fails. */
  onceWritten(body: Buffer, tell: () => void): void {
    this.waiting.set(body, tell);
  }

  watch(socket: Socket): Socket {
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = (...args: unknown[]) => {
      const [chunk] = args;
      const tell = args.length === 1 && Buffer.isBuffer(chunk) ? this.waiting.get(chunk) : undefined;
      if (!tell) return write(...args);
      return write(chunk, (error?: Error | null) => {
        if (!error) tell();
      });
    };
    return socket;
  }
}
