import { type FileHandle, statfs } from 'node:fs/promises';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { delay as realDelay } from '../../base/waiting';
import { RunningChecksum } from '../../service/node/checksums';
import type { AnalysisClient } from '../../service/node/client';
import type { OpenedResult, ResultDownloads } from '../../service/node/resultDownloads';
import { retryDelay } from '../../service/node/retries';
import { namesFailure } from '../../service/node/statusWords';
import type { DownloadedPart } from '../../service/resultParts';

/** Progress after which attempts are counted from 0 again. Bytes that needn't be downloaded again. */
const MIN_PROGRESS_BYTES = 1024 * 1024;

interface TransferOptions {
  storage: Pick<ResultDownloads, 'open'>;
  /** The result's link as the service gives it now; a secret. */
  link: (signal: AbortSignal) => Promise<string>;
  /** The folder of the file, for the space on its volume. */
  folder: string;
  /** A larger file is refused. */
  maxBytes: number;
  /** Bytes; `total` is 0 where the server doesn't say. */
  onProgress: (done: number, total: number) => void;
  onLinkExpired: () => void;
  /** For tests: how to wait before a retry. */
  delay?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Downloads a result into an open file. What breaks off is retried as requests are, and goes on where it ended if the server can;
 * an expired link is replaced by a new one.
 */
export class Transfer {
  private received = 0;
  private size: number | undefined;
  private version: string | undefined;
  private checksum: RunningChecksum | undefined;

  constructor(
    private readonly file: FileHandle,
    private readonly options: TransferOptions,
  ) {}

  /**
   * The bytes of the whole file. Throws `file-too-large`, `no-space`, `link-expired` when a new link failed too,
   * `unexpected-response` for a wrong checksum, and what the network and `link` throw.
   */
  async run(signal: AbortSignal): Promise<number> {
    const { delay = realDelay } = this.options;
    let link = await this.options.link(signal);
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const before = this.received;
      try {
        await this.receive(link, signal);
        return this.received;
      } catch (error) {
        if (this.version !== undefined && this.received - before >= MIN_PROGRESS_BYTES) {
          attempt = 1;
          isRenewed = false;
        }
        if (isCoded(error, 'link-expired') && !isRenewed) {
          isRenewed = true;
          this.options.onLinkExpired();
          link = await this.options.link(signal);
          continue;
        }
        const wait = retryDelay('GET', error, attempt);
        if (wait === undefined) throw error;
        await delay(wait, signal);
      }
    }
  }

  private async receive(link: string, signal: AbortSignal): Promise<void> {
    const { received: from, version, size } = this;
    const resume = version !== undefined && from > 0 ? { from, version, size } : undefined;
    const opened = await this.options.storage.open(link, { resume, signal });
    try {
      if (opened.start === 0) await this.startOver(opened);
      await this.checkSize();
      await this.write(opened.body, signal);
    } finally {
      opened.close();
    }
    if (this.size !== undefined && this.received !== this.size) {
      const why = reason('download-cut-off', this.received, this.size);
      throw new CodedError('network', 'The download ended early', { reason: why });
    }
    if (this.checksum && !this.checksum.matches()) {
      throw new CodedError('unexpected-response', 'The checksum of the download is wrong', {
        reason: reason('download-checksum'),
      });
    }
  }

  private async startOver({ size, version, checksum }: OpenedResult): Promise<void> {
    await this.file.truncate();
    this.received = 0;
    this.size = size;
    this.version = version;
    this.checksum = checksum && new RunningChecksum(checksum);
  }

  private async checkSize(): Promise<void> {
    const { size = 0, received } = this;
    const { folder, maxBytes, onProgress } = this.options;
    if (size > maxBytes) throw tooLarge(maxBytes);
    await requireSpace(folder, size - received);
    onProgress(received, size);
  }

  private async write(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const { maxBytes, onProgress } = this.options;
    const { size = 0 } = this;
    for await (const chunk of body) {
      throwIfCanceled(signal);
      if (this.received + chunk.byteLength > maxBytes) throw tooLarge(maxBytes);
      for (let done = 0; done < chunk.byteLength;) {
        const rest = chunk.byteLength - done;
        done += (await this.file.write(chunk, done, rest, this.received + done)).bytesWritten;
      }
      this.checksum?.update(chunk);
      this.received += chunk.byteLength;
      onProgress(this.received, size);
    }
  }
}

function tooLarge(maxBytes: number): CodedError {
  return new CodedError('file-too-large', 'The result is larger than results may be', {
    reason: reason('over-cache-size', Math.floor(maxBytes / (1024 * 1024))),
  });
}

/** A part of a job's result. */
export interface ResultName {
  jobId: string;
  part: DownloadedPart;
}

/** The link to a result as the service gives it now, a secret. Throws `not-found` before there is one, `job-failed`. */
export async function currentLink(
  client: Pick<AnalysisClient, 'analysisJob' | 'masksJob'>,
  { jobId, part }: ResultName,
  signal: AbortSignal,
): Promise<string> {
  if (part === 'masks') {
    const masks = await client.masksJob(jobId, signal);
    return masks.masksZipUrl ?? missing(jobId, masks);
  }
  const job = await client.analysisJob(jobId, signal);
  return (part === 'objects' ? job.objectsDataCSVUrl : job.aggregateDataCSVUrl) ?? missing(jobId, job);
}

function missing(jobId: string, { status, reason: why }: { status: string; reason?: string }): never {
  if (namesFailure(status)) {
    throw new CodedError('job-failed', 'The job failed', {
      subject: jobId,
      ...(why !== undefined && { reason: reason('quoted', why) }),
    });
  }
  throw new CodedError('not-found', 'The job has no such result yet', {
    subject: jobId,
    reason: reason('no-result-yet', status || 'unknown'),
  });
}

const MEGABYTE = 1024 * 1024;

/** Throws `no-space` if a folder's volume has less than `bytes` free. Volumes that don't say how much they have pass. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const volume = await statfs(folder).catch(() => undefined);
  if (!volume || volume.blocks === 0) return;
  const free = volume.bavail * volume.bsize;
  if (free >= bytes) return;
  throw new CodedError('no-space', 'The volume has too little space', {
    reason: reason('space-needed', Math.ceil(bytes / MEGABYTE), Math.floor(free / MEGABYTE)),
  });
}
