import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Identity } from './claimDirectory';
import { type Exchange, httpError, readJsonObject, type Route } from './httpRouter';
import { checkMilliseconds, type JobRunner, type ServiceSettings } from './jobRunner';
import { type ResultFileName, resultFiles, type ResultLinks } from './resultLinks';

interface SampleDependencies {
  identity: string;
  readiness: Readiness;
  settings: ServiceSettings;
  links: ResultLinks;
  runner: JobRunner;
}

/** The sample service's endpoints that are not in the specification. */
export function sampleRoutes({ identity, readiness, settings, links, runner }: SampleDependencies): Route[] {
  return [
    {
      method: 'GET',
      path: '/sample/identity',
      access: 'always',
      handle: (): Identity => ({ identity, ready: readiness.isReady }),
    },
    { method: 'GET', path: '/sample/settings', access: 'key', handle: () => ({ ...settings }) },
    {
      method: 'PUT',
      path: '/sample/settings',
      access: 'key',
      handle: async ({ request }) => {
        const { delayMs, stays } = await readJsonObject(request, 10_000);
        if (stays !== undefined && stays !== true) throw httpError(400, 'stays: true was expected');
        if (delayMs !== undefined || stays === undefined)
          settings.delayMs = checkMilliseconds(delayMs, 'delayMs');
        settings.stays ||= stays === true;
        return { ...settings };
      },
    },
    {
      method: 'GET',
      path: '/results/:jobId/:file',
      access: 'link',
      handle: exchange => handleResult(exchange, links, runner),
    },
  ];
}

const contentTypes: Record<ResultFileName, string> = {
  'objects.csv': 'text/csv; charset=utf-8',
  'aggregate.csv': 'text/csv; charset=utf-8',
  'masks.zip': 'application/zip',
};

/**
 * Sends a result file for a signed link. Rejects requests that contain the API key: with a real
 * service, such a client would send the key to another host's object storage.
 */
async function handleResult(exchange: Exchange, links: ResultLinks, runner: JobRunner): Promise<undefined> {
  const { request, response, params, query } = exchange;
  if (request.headers['x-api-key'] !== undefined) {
    throw httpError(400, 'A result link must be fetched without the header X-API-KEY');
  }
  const jobId = params['jobId'] ?? '';
  const verdict = links.check(jobId, params['file'] ?? '', query);
  if (verdict === 'forged') throw httpError(403, 'The signature of this link is not valid');
  if (verdict === 'expired') throw httpError(403, 'This link has expired: fetch the job again for a new one');
  // The signature is valid, so the name is one of the result files.
  const file = resultFiles.find(name => name === params['file']);
  if (!file) throw httpError(404, 'Result not found');
  const path = runner.resultPath(jobId, file);
  const size = await sizeOf(path);
  response.writeHead(200, {
    'Content-Type': contentTypes[file],
    'Content-Length': size,
    'Content-Disposition': `attachment; filename="${file}"`,
    'Cache-Control': 'no-store',
  });
  await pipeline(createReadStream(path), response);
  return undefined;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw httpError(404, 'Result not found');
    throw error;
  }
}

/** Delays requests while the service starts, because it first draws the sample images. */
export class Readiness {
  private state: 'starting' | 'ready' | 'ended' = 'starting';
  private settle = (): void => undefined;
  private readonly settled = new Promise<void>(resolve => (this.settle = resolve));

  get isReady(): boolean {
    return this.state === 'ready';
  }

  /** Resolves when the service is ready; throws 503 if it ends before. */
  async wait(): Promise<void> {
    await this.settled;
    if (!this.isReady) throw httpError(503, 'The sample service ended');
  }

  ready(): void {
    this.end('ready');
  }

  ended(): void {
    this.end('ended');
  }

  private end(state: 'ready' | 'ended'): void {
    this.state = state;
    this.settle();
  }
}
