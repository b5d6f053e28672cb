import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface SecretsProxyOptions {
  port: number;
  /** Of the VS Code server on 127.0.0.1. */
  serverPort: number;
  /** The response to a request for the key; the same as long as secrets are to be readable. */
  mintKey: Buffer;
  /** The server's connection token; only a browser that has it gets the key. */
  token: string;
}

/**
 * Stands in front of a VS Code server and handles the one request it doesn't support: POST
 * …/mint-key, without which a served workbench forgets its secrets at each reload. Everything else,
 * WebSockets included, is passed through unchanged.
 */
export class SecretsProxy {
  private readonly server: Server;
  private readonly tunnels = new Set<Duplex>();

  constructor(private readonly options: SecretsProxyOptions) {
    this.server = createServer((incoming, response) => this.handle(incoming, response));
    this.server.on('upgrade', (incoming, socket, head) => this.tunnel(incoming, socket, head));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port, '127.0.0.1', resolve);
    });
  }

  async close(): Promise<void> {
    for (const tunnel of this.tunnels) tunnel.destroy();
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private handle(incoming: IncomingMessage, response: ServerResponse): void {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/';
    if (incoming.method === 'POST' && path.endsWith('/mint-key')) {
      incoming.resume();
      const known = (incoming.headers.cookie ?? '').split(/; */).includes(`vscode-tkn=${this.options.token}`);
      response.writeHead(known ? 200 : 403, {
        'content-type': 'application/octet-stream',
        'cache-control': 'no-store',
      });
      response.end(known ? this.options.mintKey : undefined);
      return;
    }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: this.options.serverPort,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      upstreamResponse => {
        response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
        upstreamResponse.pipe(response);
        upstreamResponse.on('error', () => response.destroy());
      },
    );
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  private tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const upstream: Socket = connect(this.options.serverPort, '127.0.0.1', () => {
      const headers: string[] = [];
      for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
        headers.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
      }
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    for (const [end, other] of [
      [upstream, socket],
      [socket, upstream],
    ] as const) {
      this.tunnels.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        this.tunnels.delete(end);
        other.destroy();
      });
    }
  }
}
