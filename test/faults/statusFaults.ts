import { KEY } from './account';
import type { Exchange, Fault } from './fault';
import { SIGNATURE } from './healthyService';
import { all, downloads, lists, withJson } from './operationGroups';

const statuses = [401, 402, 403, 404, 409, 413, 422, 429, 500, 503];

/** An error message with all that must not be passed on. */
const message = JSON.stringify({
  message: `No luck with ${KEY}, ${Buffer.from(KEY).toString('base64')} and https://storage.lab.test/results?signature=${SIGNATURE}`,
});

/** Statuses that aren't successes, and redirects. */
export const statusFaults: readonly Fault[] = [
  ...statuses.map(status => ({
    does: `responds with status ${status}`,
    operations: all,
    respond: (exchange: Exchange) => refuse(exchange, status),
  })),
  ...statuses.map(status => ({
    does: `responds with status ${status} and a message with secrets in it`,
    operations: all,
    respond: (exchange: Exchange) =>
      refuse(exchange, status, { 'content-type': 'application/json' }, message),
  })),
  {
    does: 'responds with status 429 and Retry-After: 5',
    operations: all,
    respond: exchange => refuse(exchange, 429, { 'retry-after': '5' }),
  },
  {
    does: 'responds with status 503 and a Retry-After of a day',
    operations: all,
    respond: exchange => refuse(exchange, 503, { 'retry-after': '86400' }),
  },
  {
    does: 'responds once with status 503, then well',
    operations: all,
    respond: exchange => {
      if (exchange.count === 0) refuse(exchange, 503);
      else {
        const { status, contentType, body } = exchange.healthy();
        exchange.response.writeHead(status, { 'content-type': contentType }).end(body);
      }
    },
  },
  {
    does: 'no longer accepts the key, at any endpoint',
    operations: withJson.filter(name => name !== 'sign in'),
    isOfAllEndpoints: true,
    respond: exchange => refuse(exchange, 401),
  },
  {
    does: 'redirects in circles',
    operations: all,
    respond: ({ request, response }) => {
      response.writeHead(302, { location: request.url }).end();
    },
  },
  {
    does: 'redirects to another origin',
    operations: all,
    respond: ({ request, response, elsewhere }) => {
      response.writeHead(307, { location: `${elsewhere}${request.url}` }).end();
    },
  },
  {
    does: 'redirects to what is no address',
    operations: withJson,
    respond: ({ response }) => {
      response.writeHead(302, { location: 'http://[' }).end();
    },
  },
  {
    does: 'says that links have expired',
    operations: downloads,
    respond: exchange =>
      refuse(
        exchange,
        400,
        { 'content-type': 'application/xml' },
        '<Error><Code>ExpiredToken</Code></Error>',
      ),
  },
  {
    does: 'starts its lists again and again',
    operations: lists,
    respond: ({ response, count }) => {
      const results = [{ id: `entry-${count % 3}`, __t: 'File', status: 'PENDING' }];
      response.end(JSON.stringify({ results, count: 1000 }));
    },
  },
  {
    does: 'has lists without end',
    operations: ['list files'],
    respond: ({ response, count }) => {
      response.end(JSON.stringify({ results: [{ id: `entry-${count}`, status: 'PENDING' }], count: 1 }));
    },
  },
];

/** Refuses what was requested. A service that fails may have done it all the same. */
function refuse(
  { response, healthy }: Exchange,
  status: number,
  headers: Record<string, string> = {},
  body = '',
): void {
  if (status >= 500) healthy();
  response.writeHead(status, headers).end(body);
}
