import * as net from 'node:net';

/** A SOCKS 5 proxy (RFC 1928) on loopback that reaches one local port, whatever host is named. */
export class SocksProxy {
  /** What it was asked for. */
  readonly targets: string[] = [];
  /** How clients are to say who they are: 0 not at all, 0xff in no way that they offer. */
  method = 0;
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly server: net.Server,
    onward: number,
  ) {
    server.on('connection', socket => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(Buffer.from([5, this.method]));
        socket.once('data', (request: Buffer) => {
          const end = 5 + (request[4] ?? 0);
          this.targets.push(`${request.toString('latin1', 5, end)}:${request.readUInt16BE(end)}`);
          const target = net.connect(onward, '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            socket.pipe(target).pipe(socket);
          });
          this.sockets.add(target);
          target.on('error', () => socket.destroy());
        });
      });
    });
  }

  static async start(onward: number): Promise<SocksProxy> {
    const server = net.createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new SocksProxy(server, onward);
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }
}
