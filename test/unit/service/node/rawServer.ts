import * as net from 'node:net';

/** A connection to a RawServer. */
export interface RawConnection {
  socket: net.Socket;
  /** Resolves once this number of bytes has arrived. */
  received(bytes: number): Promise<void>;
  closed: Promise<void>;
}

/** A server that speaks no HTTP by itself: each connection is handled as the test says. */
export class RawServer {
  private readonly sockets = new Set<net.Socket>();
  readonly connections: RawConnection[] = [];

  private constructor(
    private readonly server: net.Server,
    readonly origin: string,
  ) {}

  static async start(handle: (connection: RawConnection) => void): Promise<RawServer> {
    const server = net.createServer({ allowHalfOpen: false });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const started = new RawServer(server, `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
    server.on('connection', socket => started.accept(socket, handle));
    return started;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }

  private accept(socket: net.Socket, handle: (connection: RawConnection) => void): void {
    let bytes = 0;
    let waiting: { bytes: number; resolve: () => void }[] = [];
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', chunk => {
      bytes += chunk.byteLength;
      for (const wait of waiting.filter(({ bytes: wanted }) => bytes >= wanted)) wait.resolve();
      waiting = waiting.filter(({ bytes: wanted }) => bytes < wanted);
    });
    const connection: RawConnection = {
      socket,
      received: wanted =>
        new Promise(resolve => {
          if (bytes >= wanted) resolve();
          else waiting.push({ bytes: wanted, resolve });
        }),
      closed: new Promise(resolve =>
        socket.on('close', () => {
          this.sockets.delete(socket);
          resolve();
        }),
      ),
    };
    this.connections.push(connection);
    handle(connection);
  }
}
