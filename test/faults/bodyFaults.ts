import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import type { Exchange, Fault } from './fault';
import { all, downloads, few, withJson } from './operationGroups';
import { headOf, respondWell } from './respond';
import { withWrongValue, wrongValues } from './wrongValues';

const MEGABYTE = 1024 * 1024;
const LEVELS = 100_000;
const nested = '['.repeat(LEVELS) + ']'.repeat(LEVELS);

/** Responses with bytes that nobody expects. */
export const bodyFaults: readonly Fault[] = [
  {
    does: 'announces more bytes than it sends',
    operations: all,
    respond: exchange => misstate(exchange, 10),
  },
  {
    does: 'sends more bytes than it announces',
    operations: all,
    respond: exchange => misstate(exchange, -5),
  },
  {
    does: 'ends a chunked body too early',
    operations: all,
    respond: ({ response, healthy }) => {
      const { status, contentType, body } = healthy();
      response.writeHead(status, { 'content-type': contentType });
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
    },
  },
  {
    does: 'closes a body without a length too early',
    operations: all,
    respond: ({ socket, healthy }) => {
      const { status, contentType, body } = healthy();
      socket.write(headOf({ status, contentType, body: undefined }));
      socket.end(body.subarray(0, body.length / 2));
    },
  },
  {
    does: 'sends a body without end',
    operations: few,
    respond: ({ response, healthy }) => {
      const { status, contentType } = healthy();
      response.writeHead(status, { 'content-type': contentType });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(MEGABYTE, ' ')));
      };
      response.on('drain', more);
      more();
    },
  },
  {
    does: 'sends a little that unpacks to 128 MB',
    operations: few,
    respond: exchange => {
      // Many members of one megabyte each are one gzip file.
      const member = gzipSync(Buffer.alloc(MEGABYTE, ' '), { level: 9 });
      respondEncoded(exchange, () => Buffer.concat(new Array<Buffer>(128).fill(member)));
    },
  },
  {
    does: 'compresses with gzip though nobody asked for it',
    operations: all,
    respond: exchange => respondEncoded(exchange, body => gzipSync(body)),
  },
  {
    does: 'sends damaged gzip',
    operations: all,
    respond: exchange => respondEncoded(exchange, body => gzipSync(body).fill(0, 12)),
  },
  {
    does: 'responds with the page of a login',
    operations: all,
    respond: ({ response, healthy }) => {
      healthy();
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form></form></body></html>',
      );
    },
  },
  {
    does: 'responds with status 200 and a message in plain text',
    operations: all,
    respond: ({ response, healthy }) => {
      healthy();
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Service unavailable');
    },
  },
  {
    does: 'responds with status 200 and no body',
    operations: all,
    respond: ({ response, healthy }) => {
      healthy();
      response.writeHead(200, { 'content-length': 0 }).end();
    },
  },
  {
    does: 'responds with status 204',
    operations: all,
    respond: ({ response, healthy }) => {
      healthy();
      response.writeHead(204).end();
    },
  },
  {
    does: 'sends bytes that are not UTF-8',
    operations: withJson,
    respond: exchange =>
      respondWell(exchange, body => Buffer.concat([Buffer.from([0xff, 0xfe, 0xc3]), body])),
  },
  {
    does: 'sends text that is not UTF-8 in a field',
    operations: withJson,
    respond: exchange =>
      respondWell(exchange, body =>
        Buffer.concat([
          Buffer.from('{"note":"'),
          Buffer.from([0xc3, 0x28]),
          Buffer.from('",'),
          body.subarray(1),
        ]),
      ),
  },
  {
    does: 'sends a field of 10 MB',
    operations: few.filter(name => withJson.includes(name)),
    respond: exchange =>
      respondWell(exchange, body => withField(body, 'note', `"${'x'.repeat(10 * MEGABYTE)}"`)),
  },
  {
    does: 'sends a file of 10 MB',
    operations: downloads,
    respond: exchange =>
      respondWell(exchange, body =>
        body[0] === 0x50
          ? Buffer.from(zipSync({ 'index.json': [Buffer.alloc(10 * MEGABYTE), { level: 0 }] }))
          : Buffer.concat(new Array<Buffer>(Math.ceil((10 * MEGABYTE) / body.length)).fill(body)),
      ),
  },
  {
    does: 'responds with arrays in 100,000 levels',
    operations: withJson,
    respond: exchange => respondWell(exchange, () => Buffer.from(nested)),
  },
  {
    does: 'adds a field of arrays in 100,000 levels',
    operations: withJson,
    respond: exchange => respondWell(exchange, body => withField(body, 'message', nested)),
  },
  {
    does: 'adds the field "__proto__"',
    operations: withJson,
    respond: exchange =>
      respondWell(exchange, body => withField(body, '__proto__', '{"id":"polluted","status":"FAILED"}')),
  },
  {
    does: 'sends each field with values of wrong types',
    operations: withJson.filter(operation => wrongValues(operation).length > 0),
    variants: operation => wrongValues(operation).length,
    respond: exchange => {
      const wrong = wrongValues(exchange.operation)[exchange.variant];
      if (wrong)
        respondWell(exchange, body =>
          Buffer.from(JSON.stringify(withWrongValue(JSON.parse(body.toString()), wrong))),
        );
    },
  },
];

/** Announces this number of bytes more than it sends. */
function misstate({ socket, healthy }: Exchange, surplus: number): void {
  const response = healthy();
  const { length } = response.body;
  socket.write(headOf(response).replace(`Content-Length: ${length}`, `Content-Length: ${length + surplus}`));
  socket.end(response.body);
}

function respondEncoded({ response, healthy }: Exchange, encode: (body: Buffer) => Buffer): void {
  const { status, contentType, body } = healthy();
  const encoded = encode(body);
  response
    .writeHead(status, {
      'content-type': contentType,
      'content-encoding': 'gzip',
      'content-length': encoded.length,
    })
    .end(encoded);
}

/** An object of JSON with one field more. */
function withField(body: Buffer, name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from(`{"${name}":${value},`), body.subarray(1)]);
}
