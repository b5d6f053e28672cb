import { CodedError, isCoded, throwIfCancelled } from '../base/errors';
import { multipartBody } from './multipartBody';
import {
  readAnalysisJob,
  readAnalysisJobs,
  readCheckResult,
  readFilesystemItems,
  readMasksJob,
  readPipelines,
  readUploadedItem,
  type Page,
} from './schemas';
import type { Transport } from './transport';
import type { AnalysisJob, CheckResult, FilesystemItem, MasksJob, Pipeline } from './wire';

export type { Page } from './schemas';

/** The most the service takes through its API: 2 GB. */
export const LARGEST_UPLOAD = 2 * 1024 ** 3;

export interface UploadBody {
  /** Its name in the service's filesystem. */
  fileName: string;
  /** Slash-separated; made if it does not exist. The root without. */
  destinationFolder?: string;
  size: number;
  /** Yields exactly `size` bytes. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface PageQuery {
  limit?: number;
  /** Id of the last item of the page before. */
  startingAfter?: string;
}

export interface NewJob {
  pipelineId: string;
  filesystemIds: readonly string[];
  name?: string;
}

const ROOT = '/api/external';

/** The nine endpoints of the service (spec.md). Every failure is a CodedError. */
export class AnalysisClient {
  constructor(private readonly transport: Transport) {}

  /** Whose key it is. Throws `invalid-key` if it is nobody's. */
  async check(signal?: AbortSignal): Promise<CheckResult> {
    return this.get('/check', undefined, readCheckResult, signal);
  }

  /**
   * Streams a file into the service's filesystem. `onSent` hears the bytes of it sent so far. Throws `file-too-large`
   * before anything is sent, `file-changed` when the bytes are not as many as announced. Never repeated.
   */
  async uploadFile(
    file: UploadBody,
    onSent: (bytes: number) => void,
    signal?: AbortSignal,
  ): Promise<{ id: string; __t: string }> {
    throwIfCancelled(signal);
    if (file.size > LARGEST_UPLOAD) {
      throw new CodedError('file-too-large', 'The file is larger than the service takes', {
        subject: file.fileName,
      });
    }
    const folder = file.destinationFolder ? [['destinationFolder', file.destinationFolder] as const] : [];
    const body = multipartBody([['fileName', file.fileName], ...folder], {
      field: 'upload',
      fileName: file.fileName,
      size: file.size,
      open: wanted => file.open(wanted),
    });
    const answer = await this.transport.upload(
      {
        path: `${ROOT}/filesystem-items/upload-file`,
        contentType: body.contentType,
        contentLength: body.contentLength,
        open: wanted => body.open(wanted, onSent),
        subject: file.fileName,
      },
      signal,
    );
    if (!body.complete) {
      throw new CodedError('unexpected-response', 'The service answered before it had the file', {
        subject: file.fileName,
        reason: 'The service answered before the whole file was sent',
        sent: true,
      });
    }
    return about(file.fileName, true, () => readUploadedItem(answer));
  }

  async listFilesystemItems(
    query: PageQuery & { folderId?: string } = {},
    signal?: AbortSignal,
  ): Promise<Page<FilesystemItem>> {
    return this.get('/filesystem-items', query, readFilesystemItems, signal, query.folderId);
  }

  async listPipelines(query: PageQuery = {}, signal?: AbortSignal): Promise<Page<Pipeline>> {
    return this.get('/pipelines', query, readPipelines, signal);
  }

  async listAnalysisJobs(query: PageQuery = {}, signal?: AbortSignal): Promise<Page<AnalysisJob>> {
    return this.get('/analysis-jobs', query, readAnalysisJobs, signal);
  }

  /** Costs the user money: submit through SubmitGuard, which knows what a failure leaves open. */
  async submitAnalysisJob(
    { pipelineId, filesystemIds, name }: NewJob,
    signal?: AbortSignal,
  ): Promise<AnalysisJob> {
    const body = { pipelineId, filesystemIds, ...(name !== undefined && { name }) };
    const answer = await this.transport.requestJson(
      { method: 'POST', path: `${ROOT}/analysis-jobs`, body },
      signal,
    );
    return about(undefined, true, () => readAnalysisJob(answer));
  }

  async analysisJob(id: string, signal?: AbortSignal): Promise<AnalysisJob> {
    return this.get(jobPath(id), undefined, readAnalysisJob, signal, id);
  }

  /** Costs the user money, as `submitAnalysisJob`. */
  async submitMasksJob(id: string, signal?: AbortSignal): Promise<MasksJob> {
    const path = `${ROOT}${jobPath(id)}/download-masks`;
    const answer = await this.transport.requestJson({ method: 'POST', path, subject: id }, signal);
    // An empty answer to a POST that was taken is a beginning, not an absence.
    return about(id, true, () => readMasksJob(answer) ?? { status: '', percentageCompleted: 0 });
  }

  /** Throws `not-found` if masks were never asked for. */
  async masksJob(id: string, signal?: AbortSignal): Promise<MasksJob> {
    const job = await this.get(`${jobPath(id)}/download-masks`, undefined, readMasksJob, signal, id).catch(
      (error: unknown) => {
        // How a service says "never asked for" is not documented.
        if (isCoded(error, 'bad-request'))
          throw new CodedError('not-found', 'The job has no masks job', error.details);
        throw error;
      },
    );
    if (!job) throw new CodedError('not-found', 'The job has no masks job', { subject: id });
    return job;
  }

  private async get<T>(
    path: string,
    query: (PageQuery & { folderId?: string }) | undefined,
    read: (answer: unknown) => T,
    signal: AbortSignal | undefined,
    subject?: string,
  ): Promise<T> {
    const answer = await this.transport.requestJson(
      {
        method: 'GET',
        path: `${ROOT}${path}`,
        ...(query && { query: { ...query } }),
        ...(subject !== undefined && { subject }),
      },
      signal,
    );
    return about(subject, false, () => read(answer));
  }
}

function jobPath(id: string): string {
  // A segment of dots is resolved away from any URL, encoded or not: the request would go elsewhere.
  if (/^\.{0,2}$/.test(id)) throw new CodedError('not-found', 'There can be no such job', { subject: id });
  return `/analysis-jobs/${encodeURIComponent(id)}`;
}

/** Adds to what reading an answer throws what it was about, and that the request has arrived. */
function about<T>(subject: string | undefined, sent: boolean, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isCoded(error)) throw error;
    const details = { ...error.details, ...(subject !== undefined && { subject }), ...(sent && { sent }) };
    throw new CodedError(error.code, error.message, details);
  }
}
