import { isIP, type LookupFunction } from 'node:net';
import { connect } from 'node:tls';

/** How long a host may take to complete a handshake. Milliseconds. */
const TIMEOUT = 5000;

/**
 * Whether a host speaks TLS at the port of a URL. Most that do close a connection in plain text without a word. Nothing but a
 * handshake is sent, and it doesn't matter whose certificate it is.
 */
export function speaksTls({ hostname, port }: URL, lookup?: LookupFunction): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise(resolve => {
    const socket = connect({
      host,
      port: Number(port || 80),
      rejectUnauthorized: false,
      timeout: TIMEOUT,
      ...(isIP(host) === 0 && { servername: host }),
      ...(lookup && { lookup }),
    });
    const end = (isTls: boolean) => {
      resolve(isTls);
      socket.destroy();
    };
    socket.on('secureConnect', () => end(true));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => end(false));
  });
}
