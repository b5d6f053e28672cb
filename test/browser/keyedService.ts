import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service with one user and one image. It remembers the key of each request, and accepts all of `keys`. */
export class KeyedService {
  readonly keys = ['first-key-4711', 'renewed-key-4712'] as const;
  /** Of all requests, in order. */
  readonly seen: unknown[] = [];

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<KeyedService> {
    const server = createServer();
    const service = new KeyedService(server);
    server.on('request', ({ url = '', headers }, response) => {
      const key = headers['x-api-key'];
      service.seen.push(key);
      const isKnown = (service.keys as readonly unknown[]).includes(key);
      const body = isKnown ? responseTo(url) : { message: 'Unknown key' };
      response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

function responseTo(url: string): unknown {
  if (url.includes('/check')) return { user: 'user-1', email: 'user@example.org' };
  if (url.includes('/filesystem-items')) return { results: [{ id: 'i', __t: 'Image', name: 'plate.png' }] };
  return { results: [] };
}
