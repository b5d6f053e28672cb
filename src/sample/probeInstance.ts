import { Agent, get } from 'node:http';
import { identityOf, type ServiceRecord } from './serviceRecord';

const PROBE_TIMEOUT_MS = 2000;

/** What GET /sample/identity answers. */
export interface Identity {
  identity: string;
  ready: boolean;
}

/** Whether an instance that serves this data folder answers on the recorded port. Sends no key. */
export async function probeInstance(
  directory: string,
  record: ServiceRecord,
): Promise<'ready' | 'starting' | 'none'> {
  if (record.port === 0) return 'none';
  const answer = await askIdentity(record.port);
  if (answer?.identity !== (await identityOf(directory, record))) return 'none';
  return answer.ready ? 'ready' : 'starting';
}

/** Undefined when nobody answers there, or something else does. */
function askIdentity(port: number): Promise<Identity | undefined> {
  return new Promise(resolve => {
    // An agent of our own: the global one may be set to use a proxy.
    const agent = new Agent({ keepAlive: false });
    const request = get({
      agent,
      host: '127.0.0.1',
      port,
      path: '/sample/identity',
      timeout: PROBE_TIMEOUT_MS,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const nobody = () => {
      request.destroy();
      resolve(undefined);
    };
    request.on('timeout', nobody);
    request.on('error', nobody);
    request.on('response', response => {
      const pieces: Buffer[] = [];
      let length = 0;
      response.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > 10_000) nobody();
        else pieces.push(piece);
      });
      response.on('error', nobody);
      response.on('end', () => resolve(parseIdentity(Buffer.concat(pieces).toString('utf8'))));
    });
  });
}

function parseIdentity(text: string): Identity | undefined {
  try {
    const value = JSON.parse(text) as Partial<Identity> | null;
    if (typeof value?.identity !== 'string') return undefined;
    return { identity: value.identity, ready: value.ready === true };
  } catch {
    return undefined;
  }
}
