import type { AnalysisJob, MasksJob, Pipeline } from '../../service/wire';
import { pipelines, type SamplePipeline } from './analysis/pipelines';
import { type FilesystemStore, itemResponse } from './filesystemStore';
import { type Exchange, httpError, readJsonObject, type Route } from './httpRouter';
import type { JobRunner } from './jobRunner';
import type { JobStore, StoredJob } from './jobStore';
import type { ResultFileName } from './resultLinks';
import { randomId, type ServiceRecord } from './serviceRecord';
import { Busboy } from '@fastify/busboy';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface ExternalDependencies {
  record: ServiceRecord;
  filesystem: FilesystemStore;
  jobs: JobStore;
  runner: JobRunner;
  /** Where uploads are stored while they arrive. */
  uploadsDirectory: string;
  maxUploadBytes: number;
  link: Linker;
}

export const EXTERNAL_PREFIX = '/api/external';

/** A body of this size has room for some 300,000 IDs. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_JOB_NAME_LENGTH = 500;

/** The nine documented endpoints, in the order of the specification. */
export function externalRoutes(dependencies: ExternalDependencies): Route[] {
  const { record, filesystem, jobs, link } = dependencies;
  const route = (method: Route['method'], path: string, handle: Route['handle']): Route => {
    return { method, path: `${EXTERNAL_PREFIX}${path}`, access: 'key', handle };
  };
  return [
    route('GET', '/check', () => ({
      user: record.user,
      email: record.email,
      messsage: 'The API key is valid',
    })),
    route('POST', '/filesystem-items/upload-file', exchange =>
      handleUpload(exchange, filesystem, dependencies.uploadsDirectory, dependencies.maxUploadBytes),
    ),
    route('GET', '/filesystem-items', ({ query }) => {
      const children = filesystem.children(query.get('folderId') || undefined);
      return listResponse(pageOf(children, query).map(itemResponse));
    }),
    route('GET', '/pipelines', ({ query }) => {
      const newestFirst = pipelines.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      return listResponse(pageOf(newestFirst, query).map(pipelineResponse));
    }),
    route('POST', '/analysis-jobs', exchange => submitJob(exchange, dependencies)),
    route('GET', '/analysis-jobs/:id', exchange => jobResponse(findJob(exchange, jobs), link)),
    route('GET', '/analysis-jobs', ({ query }) =>
      listResponse(pageOf(jobs.newestFirst(), query).map(job => jobResponse(job, link))),
    ),
    route('POST', '/analysis-jobs/:id/download-masks', exchange =>
      submitMasks(findJob(exchange, jobs), dependencies),
    ),
    route('GET', '/analysis-jobs/:id/download-masks', exchange => {
      const job = findJob(exchange, jobs);
      if (!job.masks) throw httpError(404, `No masks were requested for the analysis job "${job.id}"`);
      return masksResponse(job.id, job.masks, link);
    }),
  ];
}

async function submitJob({ request }: Exchange, dependencies: ExternalDependencies): Promise<object> {
  const { pipelineId, filesystemIds, name } = await readJsonObject(request, MAX_JSON_BYTES);
  if (typeof pipelineId !== 'string') throw httpError(400, 'pipelineId: a string is required');
  if (!pipelines.some(({ id }) => id === pipelineId)) {
    throw httpError(400, `pipelineId: no pipeline has the ID "${pipelineId}"`);
  }
  if (!isStrings(filesystemIds) || filesystemIds.length === 0) {
    throw httpError(400, 'filesystemIds: an array of at least one ID is required');
  }
  if (name !== undefined && (typeof name !== 'string' || name.length > MAX_JOB_NAME_LENGTH)) {
    throw httpError(400, `name: a string of at most ${MAX_JOB_NAME_LENGTH} characters was expected`);
  }
  const files = dependencies.filesystem.expand(filesystemIds);
  if (files.length === 0) throw httpError(400, 'filesystemIds: these folders contain no files');
  const itemIds = files.map(({ id }) => id);
  const job = await dependencies.jobs.add(pipelineId, itemIds, name === '' ? undefined : name);
  dependencies.runner.enqueue({ job, kind: 'analysis' });
  return jobResponse(job, dependencies.link);
}

/** Starts a masks job, or returns the existing one. A failed masks job is replaced by a new one. */
async function submitMasks(job: StoredJob, dependencies: ExternalDependencies): Promise<object> {
  if (job.status !== 'SUCCEEDED') {
    throw httpError(400, `The analysis job "${job.id}" has not succeeded: its status is ${job.status}`);
  }
  if (!job.masks || job.masks.status === 'FAILED') {
    const failedMasks = job.masks;
    const masks = { status: 'SUBMITTED' as const, percentageCompleted: 0, resultId: randomUUID() };
    job.masks = masks;
    try {
      await dependencies.jobs.save();
    } catch (error) {
      if (failedMasks) job.masks = failedMasks;
      else delete job.masks;
      throw error;
    }
    dependencies.runner.enqueue({ job, kind: 'masks' });
  }
  return masksResponse(job.id, job.masks, dependencies.link);
}

function findJob({ params }: Exchange, jobs: JobStore): StoredJob {
  const job = jobs.find(params['id'] ?? '');
  if (!job) throw httpError(404, `No analysis job has the ID "${params['id'] ?? ''}"`);
  return job;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string');
}

/** Returns a new link to a job's result file. */
type Linker = (jobId: string, file: ResultFileName) => string;

/** An analysis job in a response. `message` says why it failed; it isn't in the specification. */
function jobResponse(job: StoredJob, link: Linker): AnalysisJob & { message?: string } {
  const { id, name, createdAt, status, percentageCompleted, message } = job;
  return {
    id,
    percentageCompleted,
    status,
    ...(name === undefined ? {} : { name }),
    createdAt,
    ...(message === undefined ? {} : { message }),
    ...(status === 'SUCCEEDED'
      ? { objectsDataCSVUrl: link(id, 'objects.csv'), aggregateDataCSVUrl: link(id, 'aggregate.csv') }
      : {}),
  };
}

/** The masks job of an analysis job in a response. */
function masksResponse(
  jobId: string,
  masks: NonNullable<StoredJob['masks']>,
  link: Linker,
): MasksJob & { message?: string } {
  const { status, percentageCompleted, message } = masks;
  return {
    percentageCompleted,
    status,
    ...(message === undefined ? {} : { message }),
    ...(status === 'SUCCEEDED' ? { masksZipUrl: link(jobId, 'masks.zip') } : {}),
  };
}

function pipelineResponse({ id, description, createdAt }: SamplePipeline): Pipeline {
  return { id, description, createdAt };
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A list response; `count` is the size of this page, as in the service (docs/service.md). */
interface ListResponse<T> {
  results: T[];
  count: number;
}

/**
 * The entries of a list that a request's `limit` (20 by default, at most 100) and `startingAfter`
 * (an ID) select. Throws 400 if the limit isn't a positive whole number or no entry has the ID.
 */
function pageOf<T extends { id: string }>(entries: readonly T[], query: URLSearchParams): T[] {
  const limit = readLimit(query.get('limit'));
  const cursor = query.get('startingAfter');
  let start = 0;
  if (cursor) {
    start = entries.findIndex(entry => entry.id === cursor) + 1;
    if (start === 0) throw httpError(400, `startingAfter: no entry of this list has the ID "${cursor}"`);
  }
  return entries.slice(start, start + limit);
}

function listResponse<T>(results: T[]): ListResponse<T> {
  return { results, count: results.length };
}

function readLimit(text: string | null): number {
  if (text === null || text === '') return DEFAULT_LIMIT;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < 1) {
    throw httpError(400, `limit: a whole number from 1 was expected, not "${text}"`);
  }
  return Math.min(Number(text), MAX_LIMIT);
}

const MAX_NAME_LENGTH = 255;
const MAX_FOLDER_DEPTH = 50;

/**
 * Receives a file. If a file of the same name exists, adds a second item: jobs may refer to the
 * existing one.
 */
async function handleUpload(
  { request }: Pick<Exchange, 'request'>,
  filesystem: FilesystemStore,
  uploadsDirectory: string,
  maxBytes: number,
): Promise<{ id: string; __t: string }> {
  const path = join(uploadsDirectory, `${randomId()}.part`);
  const { fields, bytes } = await receiveUpload(request, path, maxBytes);
  try {
    const name = checkFileName(fields.get('fileName'));
    const folder = readFolder(fields.get('destinationFolder') ?? '');
    const item = await filesystem.add({ name, path, size: bytes }, folder);
    return { id: item.id, __t: item.__t };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function checkFileName(name: string | undefined): string {
  if (name === undefined || name === '') throw httpError(400, 'fileName is required');
  checkName('fileName', name);
  return name;
}

/** The names of the folders from the root down; `a//b/` and `/a/b` mean the same as `a/b`. */
function readFolder(path: string): string[] {
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  if (names.length > MAX_FOLDER_DEPTH) {
    throw httpError(400, `destinationFolder: more than ${MAX_FOLDER_DEPTH} folders deep`);
  }
  for (const name of names) checkName('destinationFolder', name);
  return names;
}

function checkName(field: string, name: string): void {
  if (name === '.' || name === '..') throw httpError(400, `${field}: "${name}" is not a name`);
  if (name.includes('/')) throw httpError(400, `${field}: a name may not contain a slash`);
  // oxlint-disable-next-line no-control-regex -- these are the characters to reject
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw httpError(400, `${field}: a name may not contain control characters`);
  if (name.length > MAX_NAME_LENGTH) {
    throw httpError(400, `${field}: a name may have at most ${MAX_NAME_LENGTH} characters`);
  }
}

/** An upload's content: its text fields, and the bytes written for the part `upload`. */
interface ReceivedUpload {
  fields: Map<string, string>;
  bytes: number;
}

/** Bytes that a request may have for boundaries, headers and text fields besides the file. */
const MAX_FORM_OVERHEAD = 1024 * 1024;

const limits = { files: 1, fields: 20, parts: 21, fieldSize: 16 * 1024, headerPairs: 100 };

/**
 * Reads a multipart/form-data request, whose parts may be in any order, and streams its part
 * `upload` to a new file at `path`. Throws 400 for an incomplete or invalid form and 413 for a file
 * of more than `maxBytes`. After an error, there is no file at `path`.
 */
async function receiveUpload(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<ReceivedUpload> {
  const contentLength = Number(request.headers['content-length'] ?? 0);
  if (contentLength > maxBytes + MAX_FORM_OVERHEAD) throw tooLarge(maxBytes);
  try {
    return await parseForm(request, path, maxBytes);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function parseForm(request: IncomingMessage, path: string, maxBytes: number): Promise<ReceivedUpload> {
  const form = newForm(request, maxBytes);
  const fields = new Map<string, string>();
  let file: (Readable & { bytesRead: number }) | undefined;
  let written: Promise<void> | undefined;

  const parsed = new Promise<void>((resolve, reject) => {
    form.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) reject(httpError(400, `The field "${name}" is too long`));
      else fields.set(name, value);
    });
    form.on('file', (_name, stream) => {
      file = stream;
      stream.on('error', reject);
      stream.once('limit', () => reject(tooLarge(maxBytes)));
      written = pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      written.catch(reject);
    });
    form.on('filesLimit', () => reject(httpError(400, 'Only one part "upload" was expected')));
    form.on('fieldsLimit', () => reject(httpError(400, 'The form has too many fields')));
    form.on('partsLimit', () => reject(httpError(400, 'The form has too many parts')));
    form.on('error', error => reject(invalidForm(error)));
    form.on('finish', resolve);
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(httpError(400, 'The client disconnected before the upload was complete'));
    });
    request.pipe(form);
  });

  try {
    await parsed;
    await written;
  } catch (error) {
    request.unpipe(form);
    // Reads and discards the remaining body, so that the client can read the response.
    request.resume();
    // Needs an error: otherwise the pipeline would wait forever for a stream that got all its data
    // but wasn't read to its end.
    file?.destroy(error instanceof Error ? error : new Error(String(error)));
    await Promise.allSettled([written]);
    throw error;
  }
  if (!file) throw httpError(400, 'The part "upload" with the content of the file is missing');
  return { fields, bytes: file.bytesRead };
}

function newForm(request: IncomingMessage, maxBytes: number) {
  const contentType = request.headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { ...limits, fileSize: maxBytes },
      // Only the field name is checked: some clients omit the file name of the part, others add one
      // to text fields.
      isPartAFile: name => name === 'upload',
    });
  } catch (error) {
    throw invalidForm(error);
  }
}

function invalidForm(error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return httpError(400, `A multipart/form-data body was expected: ${reason}`);
}

function tooLarge(maxBytes: number) {
  const size = maxBytes >= 1024 ** 3 ? `${maxBytes / 1024 ** 3} GB` : `${maxBytes} bytes`;
  return httpError(413, `A file may have at most ${size}`);
}
