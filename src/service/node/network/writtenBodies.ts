import type { Socket } from 'node:net';

/** As a stream's, whose second argument may be left out. */
type Write = (
  chunk: Uint8Array | string,
  encoding?: BufferEncoding | OnWritten,
  callback?: OnWritten,
) => boolean;

type OnWritten = (error?: Error | null) => void;

/** Reports when the system has all bytes of a body, so that its memory can be reused. undici doesn't. */
export class WrittenBodies {
  private readonly waiting = new WeakMap<object, () => void>();

  /** Calls `listener` once the body was written to a watched socket in one piece, unless that fails. */
  onceWritten(body: Buffer, listener: () => void): void {
    this.waiting.set(body, listener);
  }

  watch(socket: Socket): Socket {
    const write = socket.write.bind(socket) as Write;
    const watched: Write = (chunk, encoding, callback) => {
      const listener = typeof chunk === 'object' && !encoding ? this.waiting.get(chunk) : undefined;
      if (!listener) return write(chunk, encoding, callback);
      return write(chunk, error => {
        if (!error) listener();
      });
    };
    socket.write = watched;
    return socket;
  }
}
