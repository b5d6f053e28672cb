import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { httpError } from './httpError';
import type { Exchange } from './httpRouter';
import type { JobRunner } from './jobRunner';
import { resultFiles, type ResultFile, type ResultLinks } from './resultLinks';

const contentTypes: Record<ResultFile, string> = {
  'objects.csv': 'text/csv; charset=utf-8',
  'aggregate.csv': 'text/csv; charset=utf-8',
  'masks.zip': 'application/zip',
};

/**
 * Sends a result file to the holder of a signed link. Refuses a request that carries the API key, as object storage on
 * another host would have to: a client that sends its key along with a link is found out here.
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
  // Only names that we signed come this far.
  const file = resultFiles.find(name => name === params['file']);
  if (!file) throw httpError(404, 'There is no such result');
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw httpError(404, 'There is no such result');
    throw error;
  }
}
