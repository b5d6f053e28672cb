import { createServer, type AddressInfo } from 'node:net';

/** An unused port of 127.0.0.1: the preferred one if it is free. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(preferred, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  } catch (error) {
    if (preferred === 0) throw error;
    return await freePort();
  } finally {
    server.close();
  }
}
