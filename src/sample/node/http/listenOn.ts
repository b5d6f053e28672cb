import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on 127.0.0.1 at the preferred port, or at a free one when it is 0 or taken. Returns the port. */
export async function listenOn(server: Server, preferred: number): Promise<number> {
  try {
    return await listen(server, preferred);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (preferred === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    return listen(server, 0);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  const listening = once(server, 'listening');
  server.listen({ host: '127.0.0.1', port, exclusive: true });
  await listening;
  return (server.address() as AddressInfo).port;
}
