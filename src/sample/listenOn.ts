import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on 127.0.0.1 at the wanted port, or at a free one when another process has it (or 0). Gives the port. */
export async function listenOn(server: Server, wanted: number): Promise<number> {
  try {
    return await listen(server, wanted);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (wanted === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    return listen(server, 0);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  const listening = once(server, 'listening');
  server.listen({ host: '127.0.0.1', port, exclusive: true });
  await listening;
  return (server.address() as AddressInfo).port;
}
