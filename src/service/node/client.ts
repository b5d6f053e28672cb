import type { CancelSignal } from '../../base/canceling';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import { type FileInMemory, multipartBody } from './multipartBody';
import {
  type AnalysisJob,
  type CheckResult,
  type FilesystemItem,
  type MasksJob,
  type Page,
  type Pipeline,
  readAnalysisJob,
  readAnalysisJobs,
  readCheckResult,
  readFilesystemItems,
  readMasksJob,
  readPipelines,
  readUploadedItem,
} from '../wire';
import type { JsonRequest, Transport, UploadRequest } from './transport';

/** The largest file that the service accepts through its API: 2 GB. */
export const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;

export interface UploadBody {
  /** Its name in the service's filesystem. */
  fileName: string;
  /** Separated by slashes; created if missing. Absent for the root. */
  destinationFolder?: string | undefined;
  size: number;
  /** Yields exactly `size` bytes. */
  open(signal: CancelSignal): AsyncIterable<Uint8Array>;
  /** The file's bytes if they are in memory: `open` isn't called then. */
  inMemory?: FileInMemory | undefined;
}

export interface PageQuery {
  limit?: number;
  /** ID of the last item of the page before. */
  startingAfter?: string;
}

export interface NewJob {
  pipelineId: string;
  filesystemIds: readonly string[];
  name?: string;
}

const ROOT = '/api/external';
/**
 * `limit` for lists whose entries are so large that longer pages exceed the maximum response size.
 */
const SMALL_PAGE = 10;

/** The nine endpoints of the service (docs/service.md). All errors are CodedErrors. */
export class AnalysisClient {
  private checking: Promise<KeyCheck> | undefined;
  /** The paths of lists with pages that were too large. */
  private readonly largeLists = new Set<string>();

  /** With `once`, requests aren't retried. */
  constructor(
    private readonly transport: Pick<Transport, 'requestJson' | 'upload'>,
    private readonly options: { once?: boolean } = {},
  ) {}

  /** The owner of the key. Throws `invalid-key` if the service doesn't accept it. */
  async check(signal?: AbortSignal): Promise<CheckResult> {
    return this.transport.requestJson(
      { method: 'GET', path: `${ROOT}/check`, read: readCheckResult, ...this.options },
      signal,
    );
  }

  /**
   * Streams a file into the service's filesystem. `onSent` receives the number of its bytes sent so
   * far. Throws `file-too-large` before anything is sent, and `file-changed` if the number of bytes
   * differs. Never retried.
   */
  async uploadFile(
    file: UploadBody,
    onSent: (bytes: number) => void,
    signal?: CancelSignal,
  ): Promise<{ id: string; __t: string }> {
    throwIfCanceled(signal);
    const { fileName, size, inMemory } = file;
    if (size > MAX_UPLOAD_BYTES) {
      throw new CodedError('file-too-large', 'The file is larger than the service accepts', {
        subject: fileName,
      });
    }
    const body = multipartBody(
      { fileName, destinationFolder: file.destinationFolder || undefined },
      { field: 'upload', fileName, size, open: bodySignal => file.open(bodySignal) },
    );
    const upload: UploadRequest<{ id: string; __t: string }> = {
      path: `${ROOT}/filesystem-items/upload-file`,
      contentType: body.contentType,
      contentLength: body.contentLength,
      open: bodySignal => body.open(bodySignal, onSent),
      whole:
        inMemory &&
        (() => {
          onSent(size);
          return body.whole(inMemory);
        }),
      onWritten: inMemory?.release,
      subject: fileName,
      read: response => {
        if (body.complete) return readUploadedItem(response);
        throw new CodedError('unexpected-response', 'The service responded before it had the file', {
          reason: reason('The service responded before the whole file was sent'),
        });
      },
    };
    try {
      return await this.transport.upload(upload, signal);
    } catch (error) {
      throw await this.errorAfterKeyCheck(error, fileName, signal);
    }
  }

  async listFilesystemItems(
    query: PageQuery & { folderId?: string } = {},
    signal?: AbortSignal,
  ): Promise<Page<FilesystemItem>> {
    return this.list('/filesystem-items', query, readFilesystemItems, signal);
  }

  async listPipelines(query: PageQuery = {}, signal?: AbortSignal): Promise<Page<Pipeline>> {
    return this.list('/pipelines', query, readPipelines, signal);
  }

  async listAnalysisJobs(query: PageQuery = {}, signal?: AbortSignal): Promise<Page<AnalysisJob>> {
    return this.list('/analysis-jobs', query, readAnalysisJobs, signal);
  }

  /**
   * Costs the user money. Submit through SubmitGuard, which handles failures with an unknown
   * outcome.
   */
  async submitAnalysisJob(
    { pipelineId, filesystemIds, name }: NewJob,
    signal?: AbortSignal,
  ): Promise<AnalysisJob> {
    const body = { pipelineId, filesystemIds, ...(name !== undefined && { name }) };
    return this.request(
      { method: 'POST', path: `${ROOT}/analysis-jobs`, body, read: readAnalysisJob },
      signal,
    );
  }

  async analysisJob(id: string, signal?: AbortSignal): Promise<AnalysisJob> {
    return this.get(jobPath(id), undefined, readAnalysisJob, signal, id);
  }

  /** Costs the user money, like `submitAnalysisJob`. */
  async submitMasksJob(id: string, signal?: AbortSignal): Promise<MasksJob> {
    const path = `${ROOT}${jobPath(id)}/download-masks`;
    const job = await this.request({ method: 'POST', path, subject: id, read: readMasksJob }, signal);
    // An empty response to an accepted POST means that the job has started.
    return job ?? { status: '', percentageCompleted: 0 };
  }

  /** Throws `not-found` if masks were never requested. */
  async masksJob(id: string, signal?: AbortSignal): Promise<MasksJob> {
    const job = await this.get(`${jobPath(id)}/download-masks`, undefined, readMasksJob, signal, id).catch(
      (error: unknown) => {
        // The service's response for "never requested" isn't documented; a refused permission is
        // another error.
        if (isCoded(error, 'bad-request') && !isKeyRefusal(error.details.status))
          throw new CodedError('not-found', 'The job has no masks job', error.details);
        throw error;
      },
    );
    if (!job) throw new CodedError('not-found', 'The job has no masks job', { subject: id });
    return job;
  }

  /** A page of a list. If the response is too large, this and later pages get fewer entries. */
  private async list<T>(
    path: string,
    query: PageQuery & { folderId?: string },
    read: (response: unknown, secrets: readonly string[]) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { limit, folderId } = query;
    const isSmall = limit !== undefined && limit <= SMALL_PAGE;
    if (!isSmall && !this.largeLists.has(path)) {
      try {
        return await this.get(path, query, read, signal, folderId);
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        this.largeLists.add(path);
      }
    }
    return this.get(
      path,
      { ...query, limit: Math.min(limit ?? SMALL_PAGE, SMALL_PAGE) },
      read,
      signal,
      folderId,
    );
  }

  private async get<T>(
    path: string,
    query: (PageQuery & { folderId?: string }) | undefined,
    read: (response: unknown, secrets: readonly string[]) => T,
    signal: AbortSignal | undefined,
    subject?: string,
  ): Promise<T> {
    return this.request(
      {
        method: 'GET',
        path: `${ROOT}${path}`,
        ...(query && { query: { ...query } }),
        ...(subject !== undefined && { subject }),
        read,
      },
      signal,
    );
  }

  private async request<T>(request: JsonRequest<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await this.transport.requestJson({ ...request, ...this.options }, signal);
    } catch (error) {
      throw await this.errorAfterKeyCheck(error, request.subject, signal);
    }
  }

  /**
   * The error to throw for a failed request. A status of 401 or 403 may be about the key, or about
   * an item of a colleague: the check endpoint decides. `invalid-key` is the error of the check, so
   * that all requests with a revoked key have the same message, which VS Code shows once.
   * `bad-request` if the key is valid; `service-error` if the check itself fails.
   */
  private async errorAfterKeyCheck(
    error: unknown,
    subject: string | undefined,
    signal: CancelSignal | undefined,
  ): Promise<unknown> {
    if (!isCoded(error, 'invalid-key') || !isKeyRefusal(error.details.status)) return error;
    this.checking ??= this.checkKey().finally(() => (this.checking = undefined));
    const outcome = await untilCanceled(this.checking, signal);
    if (outcome instanceof CodedError) return outcome;
    return new CodedError(
      outcome === 'accepted' ? 'bad-request' : 'service-error',
      'The service refused a request, not the key',
      { ...error.details, ...(subject !== undefined && { subject }) },
    );
  }

  private async checkKey(): Promise<KeyCheck> {
    try {
      await this.check();
      return 'accepted';
    } catch (error) {
      return isCoded(error, 'invalid-key') ? error : 'unknown';
    }
  }
}

/** Whether the key is accepted; the error if it is refused. */
type KeyCheck = 'accepted' | 'unknown' | CodedError;

function isTooLarge(error: unknown): boolean {
  if (!isCoded(error, 'unexpected-response')) return false;
  return error.details.reason?.code === 'response-too-large';
}

function isKeyRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

function jobPath(id: string): string {
  // URLs drop segments of dots, encoded or not: the request would go to another endpoint.
  if (/^\.{0,2}$/.test(id)) throw new CodedError('not-found', 'No job can have this ID', { subject: id });
  return `/analysis-jobs/${encodeURIComponent(id)}`;
}
