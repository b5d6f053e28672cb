// A process that takes uploads and counts their bytes, nothing more, so that little of what is
// measured is its own.
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';

/** What arrived since the last time it was asked. */
export interface Received {
  requests: number;
  bytes: number;
}

const RESPONSE_BODY = '{"id":"0123456789abcdef01234567","__t":"File"}';
const RESPONSE =
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${RESPONSE_BODY.length}\r\n\r\n` +
  RESPONSE_BODY;

let received: Received = { requests: 0, bytes: 0 };

const server = net.createServer({ noDelay: true }, socket => {
  let head = '';
  let left = 0;
  socket.on('error', () => undefined);
  socket.on('data', chunk => {
    for (let at = 0; at < chunk.byteLength;) {
      if (left > 0) {
        const taken = Math.min(left, chunk.byteLength - at);
        at += taken;
        left -= taken;
        received.bytes += taken;
      } else {
        head += chunk.toString('latin1', at);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        at = chunk.byteLength - (head.length - end - 4);
        const fields = head.slice(0, end);
        head = '';
        left = Number(/^content-length: *(\d+)/im.exec(fields)?.[1]);
        if (!(left > 0)) throw new Error('A request without a length');
        // curl waits for it before it sends a large body.
        if (/^expect: *100-continue/im.test(fields)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      }
      if (left === 0) {
        received.requests += 1;
        socket.write(RESPONSE);
      }
    }
  });
});

process.on('message', () => {
  process.send?.(received);
  received = { requests: 0, bytes: 0 };
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
