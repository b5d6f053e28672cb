import type { Socket } from 'node:net';

const START = 'HTTP/1.1 100';
const END = '\r\n\r\n';
/** Where a status line has the first digit of the status, and what it is in START. */
const DIGIT_AT = 9;
const ONE = 0x31;
/** A longer one is left to the parser, which refuses it. */
const MAX_BYTES = 16 * 1024;

/**
 * Hides "100 Continue" from who reads the socket. Some services send it unrequested; a client must be able to skip it
 * (RFC 9110, 15.2), but undici closes the connection. Looked for only before a response, never within a body.
 */
export function skipContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: readonly [unknown, unknown, unknown]) => boolean;
  let isBeforeResponse = true;
  let held: Buffer | undefined;
  socket.write = (chunk: unknown, encoding?: unknown, callback?: unknown) => {
    isBeforeResponse = true;
    return write(chunk, encoding, callback);
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (!isBeforeResponse || chunk === null) return chunk;
      const bytes: Buffer = held ? Buffer.concat([held, chunk]) : chunk;
      held = undefined;
      const rest = afterContinue(bytes);
      if (rest === undefined) held = bytes;
      else if (rest.length > 0) {
        isBeforeResponse = false;
        return rest;
      }
    }
  };
  return socket;
}

/** What follows the 100s at the beginning of the bytes; undefined where one of them hasn't ended yet. */
function afterContinue(bytes: Buffer): Buffer | undefined {
  // Nearly always: seen without making texts.
  if (bytes.length > DIGIT_AT && bytes[DIGIT_AT] !== ONE) return bytes;
  let rest = bytes;
  for (;;) {
    const start = rest.subarray(0, START.length).toString('latin1');
    if (rest.length === 0 || !(start === START || START.startsWith(start))) return rest;
    const end = start === START ? rest.indexOf(END) : -1;
    if (end < 0) return rest.length > MAX_BYTES ? rest : undefined;
    rest = rest.subarray(end + END.length);
  }
}
