import { randomUUID } from 'node:crypto';
import type { AnalysisJob, MasksJob, Pipeline } from '../../service/wire';
import { pipelines, type SamplePipeline } from './analysis/pipelines';
import { type FilesystemStore, itemResponse } from './filesystemStore';
import { type Exchange, httpError, readJsonObject, type Route } from './httpRouter';
import type { JobRunner } from './jobRunner';
import type { JobStore, StoredJob } from './jobStore';
import type { ResultFileName } from './resultLinks';
import type { ServiceRecord } from './serviceRecord';
import { handleUpload } from './uploadRoute';

interface ExternalParts {
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

/** Enough for some 300,000 IDs. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_NAME_LENGTH = 500;

/** The nine documented endpoints, in the order of the specification. */
export function externalRoutes(parts: ExternalParts): Route[] {
  const { record, filesystem, jobs, link } = parts;
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
      handleUpload(exchange, filesystem, parts.uploadsDirectory, parts.maxUploadBytes),
    ),
    route('GET', '/filesystem-items', ({ query }) => {
      const children = filesystem.children(query.get('folderId') || undefined);
      return listResponse(pageOf(children, query).map(itemResponse));
    }),
    route('GET', '/pipelines', ({ query }) => {
      const newestFirst = pipelines.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      return listResponse(pageOf(newestFirst, query).map(pipelineResponse));
    }),
    route('POST', '/analysis-jobs', exchange => submitJob(exchange, parts)),
    route('GET', '/analysis-jobs/:id', exchange => jobResponse(findJob(exchange, jobs), link)),
    route('GET', '/analysis-jobs', ({ query }) =>
      listResponse(pageOf(jobs.newestFirst(), query).map(job => jobResponse(job, link))),
    ),
    route('POST', '/analysis-jobs/:id/download-masks', exchange =>
      submitMasks(findJob(exchange, jobs), parts),
    ),
    route('GET', '/analysis-jobs/:id/download-masks', exchange => {
      const job = findJob(exchange, jobs);
      if (!job.masks) throw httpError(404, `No masks were requested for the analysis job "${job.id}"`);
      return masksResponse(job.id, job.masks, link);
    }),
  ];
}

async function submitJob({ request }: Exchange, parts: ExternalParts): Promise<object> {
  const { pipelineId, filesystemIds, name } = await readJsonObject(request, MAX_JSON_BYTES);
  if (typeof pipelineId !== 'string') throw httpError(400, 'pipelineId: a string is required');
  if (!pipelines.some(({ id }) => id === pipelineId)) {
    throw httpError(400, `pipelineId: no pipeline has the ID "${pipelineId}"`);
  }
  if (!isStrings(filesystemIds) || filesystemIds.length === 0) {
    throw httpError(400, 'filesystemIds: an array of at least one ID is required');
  }
  if (name !== undefined && (typeof name !== 'string' || name.length > MAX_NAME_LENGTH)) {
    throw httpError(400, `name: a string of at most ${MAX_NAME_LENGTH} characters was expected`);
  }
  const files = parts.filesystem.expand(filesystemIds);
  if (files.length === 0) throw httpError(400, 'filesystemIds: these folders contain no files');
  const itemIds = files.map(({ id }) => id);
  const job = await parts.jobs.add(pipelineId, itemIds, name === '' ? undefined : name);
  parts.runner.enqueue({ job, kind: 'analysis' });
  return jobResponse(job, parts.link);
}

/** Starts a masks job. An existing one is returned unchanged; only a failed one runs again. */
async function submitMasks(job: StoredJob, parts: ExternalParts): Promise<object> {
  if (job.status !== 'SUCCEEDED') {
    throw httpError(400, `The analysis job "${job.id}" has not succeeded: its status is ${job.status}`);
  }
  if (!job.masks || job.masks.status === 'FAILED') {
    const before = job.masks;
    const masks = { status: 'SUBMITTED' as const, percentageCompleted: 0, resultId: randomUUID() };
    job.masks = masks;
    try {
      await parts.jobs.save();
    } catch (error) {
      if (before) job.masks = before;
      else delete job.masks;
      throw error;
    }
    parts.runner.enqueue({ job, kind: 'masks' });
  }
  return masksResponse(job.id, job.masks, parts.link);
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

/** An analysis job in a response; `message`, why it failed, isn't in the specification. */
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
 * The part of an ordered list that a request's `limit` (20 unless given, capped at 100) and `startingAfter` (an ID)
 * select. Throws 400 when the limit isn't a positive whole number or no entry has the cursor's ID.
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
