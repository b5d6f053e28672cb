import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { httpError } from './httpError';
import type { Exchange } from './httpRouter';
import type { JobRunner } from '../jobs/jobRunner';
import { resultFiles, type ResultFileName, type ResultLinks } from './resultLinks';

const contentTypes: Record<ResultFileName, string> = {
  'objects.csv': 'text/csv; charset=utf-8',
  'aggregate.csv': 'text/csv; charset=utf-8',
  'masks.zip': 'application/zip',
};

/**
 * Sends a result file for a signed link. Rejects a request with the API key, which would be leaked to the object
 * storage of another host: a client that sends its key with a link fails here.
 */
export async function handleResult(
  exchange: Exchange,
  links: ResultLinks,
  runner: JobRunner,
): Promise<undefined> {
  const { request, response, params, query } = exchange;
  if (request.headers['x-api-key'] !== undefined) {
    throw httpError(400, 'A result link must be fetched without the header X-API-KEY');
  }
  const jobId = params['jobId'] ?? '';
  const verdict = links.check(jobId, params['file'] ?? '', query);
  if (verdict === 'forged') throw httpError(403, 'The signature of this link is not valid');
  if (verdict === 'expired') throw httpError(403, 'This link has expired: fetch the job again for a new one');
  // Only names that were signed here get this far.
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
