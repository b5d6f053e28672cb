import { randomInt } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsIdentity } from './selfSigned';

/** A request as the server saw it, with its whole body. */
export interface SeenRequest {
  method: string;
  url: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export type Answer = (request: SeenRequest, response: http.ServerResponse) => unknown;

/** A real server on loopback that answers as the test says and remembers what it was asked. */
export class FixtureServer {
  readonly seen: SeenRequest[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: http.Server,
    readonly origin: string,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** Starts a server that answers a request once its body is there. */
  static start(answer: Answer, identity?: TlsIdentity): Promise<FixtureServer> {
    return FixtureServer.startRaw((request, response, fixture) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const seen = describe(request, Buffer.concat(chunks));
        fixture.seen.push(seen);
        answer(seen, response);
      });
    }, identity);
  }

  /** Starts a server that hands out requests as they begin. */
  static async startRaw(
    handle: (request: http.IncomingMessage, response: http.ServerResponse, fixture: FixtureServer) => void,
    identity?: TlsIdentity,
  ): Promise<FixtureServer> {
    const server = identity ? https.createServer(identity) : http.createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const fixture = new FixtureServer(server, `${identity ? 'https' : 'http'}://127.0.0.1:${port}`);
    server.on('request', (request, response) => handle(request, response, fixture));
    return fixture;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** Runs for each new connection that is to be tunnelled (a proxy's CONNECT). */
  onConnect(handle: (request: http.IncomingMessage, socket: Socket) => void): void {
    this.server.on('connect', (request, socket) => handle(request, socket as Socket));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }
}

function describe(request: http.IncomingMessage, body: Buffer): SeenRequest {
  const url = new URL(request.url ?? '/', 'http://fixture');
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body,
  };
}

/** Answers with JSON. */
export function sendJson(
  response: http.ServerResponse,
  value: unknown,
  status = 200,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Below the ports that systems give out, so that no other test's server appears there. */
const UNUSED_PORTS = { from: 10_000, count: 20_000 };

/** A port on loopback where nobody listens. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = UNUSED_PORTS.from + randomInt(UNUSED_PORTS.count);
    const server = http.createServer();
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise(resolve => server.close(resolve));
    return port;
  }
}
