import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { unusedPort, type SeenRequest } from '../unit/service/node/fixtureServer';
import type { TlsIdentity } from '../unit/service/node/selfSigned';
import type { Fault } from './fault';
import { HealthyService, type HealthyResponse } from './healthyService';
import { operations, type OperationName } from './operations';
import type { VirtualClock } from './virtualClock';

export interface HostileServiceOptions {
  fault: Fault;
  variant: number;
  operation: OperationName;
  /** Whether the fault is the storage's. */
  isOfStorage: boolean;
  clock: VirtualClock;
  identity: TlsIdentity;
}

/**
 * A service, its storage, and a third origin. One of the first two treats one kind of request
 * badly; all remember what they saw.
 */
export class HostileService {
  readonly toService: SeenRequest[] = [];
  /** What the storage and the third origin saw. */
  readonly toOthers: SeenRequest[] = [];
  baseUrl = '';
  private readonly servers: http.Server[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly names = new Map<string, string>();
  private healthy = new HealthyService('');
  private elsewhere = '';
  private faulty = 0;

  private constructor(private readonly options: HostileServiceOptions) {}

  static async start(options: HostileServiceOptions): Promise<HostileService> {
    const service = new HostileService(options);
    await service.listen();
    return service;
  }

  get requests(): readonly SeenRequest[] {
    return [...this.toService, ...this.toOthers];
  }

  /** Requests that it has met with its fault. */
  get misbehaved(): number {
    return this.faulty;
  }

  /** A text with names in place of the ports, which differ each time. */
  named(text: string): string {
    return [...this.names].reduce((named, [origin, name]) => named.replaceAll(origin, name), text);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.servers.map(server => new Promise(resolve => server.close(resolve))));
  }

  private async listen(): Promise<void> {
    const { operation, isOfStorage } = this.options;
    this.elsewhere = await this.serve('http://elsewhere', undefined, (request, response) => {
      this.toOthers.push(request);
      send(
        response,
        request.path.startsWith('/results/') ? this.healthy.result(request) : this.healthy.respond(request),
      );
    });
    const storage = await this.serve('http://storage', isOfStorage, (request, response) => {
      this.toOthers.push(request);
      if (this.healthy.expiredLinks-- > 0) response.writeHead(403).end();
      else this.respond(request, response, () => this.healthy.result(request));
    });
    this.healthy = new HealthyService(storage);
    operations[operation].prepare?.(this.healthy);
    this.baseUrl = await this.serve('http://service', !isOfStorage, (request, response) => {
      this.toService.push(request);
      this.respond(request, response, () => this.healthy.respond(request));
    });
  }

  private respond(request: SeenRequest, response: http.ServerResponse, healthy: () => HealthyResponse): void {
    const { fault, variant, operation, clock } = this.options;
    const { isTarget, faultyRequests = Infinity } = operations[operation];
    const isFaulty = fault.isOfAllEndpoints ?? isTarget(request, this.healthy);
    if (!fault.respond || !isFaulty || this.faulty >= faultyRequests) {
      send(response, healthy());
      return;
    }
    const count = this.faulty++;
    const { socket } = response;
    if (!socket) return;
    const { elsewhere } = this;
    fault.respond({ request, response, socket, clock, operation, variant, count, elsewhere, healthy });
  }

  /** Starts a server, unless it is the one that has the fault not to be there. */
  private async serve(
    name: string,
    isFaulty: boolean | undefined,
    handle: (request: SeenRequest, response: http.ServerResponse) => void,
  ): Promise<string> {
    const { fault, identity } = this.options;
    if (isFaulty && fault.server === 'closed')
      return this.name(`http://127.0.0.1:${await unusedPort()}`, name);
    const isSecure = isFaulty === true && fault.server === 'self-signed';
    const server = isSecure ? https.createServer(identity) : http.createServer();
    this.servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => handle(seen(request, Buffer.concat(chunks)), response));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return this.name(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, name);
  }

  private name(origin: string, name: string): string {
    this.names.set(origin, name);
    return origin;
  }
}

function seen(request: http.IncomingMessage, body: Buffer): SeenRequest {
  const url = new URL(request.url ?? '/', 'http://service');
  const { method = '', headers } = request;
  return { method, url: request.url ?? '', path: url.pathname, query: url.searchParams, headers, body };
}

function send(response: http.ServerResponse, { status, contentType, body }: HealthyResponse): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': body.length }).end(body);
}
