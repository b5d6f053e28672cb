import { Agent, get } from 'node:http';
import { identityOf, type ServiceRecord } from './serviceRecord';

const PROBE_TIMEOUT_MS = 2000;

/** The response to GET /sample/identity. */
export interface Identity {
  identity: string;
  ready: boolean;
}

/** Whether an instance that serves this data folder listens on the recorded port. Sends no key. */
export async function probeInstance(
  directory: string,
  record: ServiceRecord,
): Promise<'ready' | 'starting' | 'none'> {
  if (record.port === 0) return 'none';
  const found = await fetchIdentity(record.port);
  if (found?.identity !== (await identityOf(directory, record))) return 'none';
  return found.ready ? 'ready' : 'starting';
}

/** Undefined when nothing, or another program, responds there. */
function fetchIdentity(port: number): Promise<Identity | undefined> {
  return new Promise(resolve => {
    // Its own agent: the global one may use a proxy.
    const agent = new Agent({ keepAlive: false });
    const request = get({
      agent,
      host: '127.0.0.1',
      port,
      path: '/sample/identity',
      timeout: PROBE_TIMEOUT_MS,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const giveUp = () => {
      request.destroy();
      resolve(undefined);
    };
    request.on('timeout', giveUp);
    request.on('error', giveUp);
    request.on('response', response => {
      const pieces: Buffer[] = [];
      let length = 0;
      response.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > 10_000) giveUp();
        else pieces.push(piece);
      });
      response.on('error', giveUp);
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
