import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalService, sendJson } from './localService';

/**
 * A service with one user and one image. It remembers the key of each request, and accepts all of
 * `keys`.
 */
export class KeyedService extends LocalService {
  readonly keys = ['first-key-4711', 'renewed-key-4712'] as const;
  /** Of all requests, in order. */
  readonly seen: unknown[] = [];

  protected respond({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const key = headers['x-api-key'];
    this.seen.push(key);
    if ((this.keys as readonly unknown[]).includes(key)) sendJson(response, 200, responseTo(url));
    else sendJson(response, 400, { message: 'Unknown key' });
  }
}

function responseTo(url: string): unknown {
  if (url.includes('/check')) return { user: 'user-1', email: 'user@example.org' };
  if (url.includes('/filesystem-items')) return { results: [{ id: 'i', __t: 'Image', name: 'plate.png' }] };
  return { results: [] };
}
