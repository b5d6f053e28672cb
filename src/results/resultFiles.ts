import { createReadStream } from 'node:fs';
import * as path from 'node:path';
import type { AnalysisClient } from '../api/client';
import { ResultDownloads } from '../api/resultDownload';
import { namesFailure } from '../api/statusWords';
import type { NetworkSettings } from '../api/transport';
import type { Disposable } from '../base/disposable';
import { CodedError, isCoded, throwIfCancelled } from '../base/errors';
import type { Log } from '../base/log';
import { fileError, refuseExisting, writeAside } from './downloadWriter';
import { ResultFilesCache, type ResultKind } from './resultFilesCache';
import { SharedWork } from './sharedWork';

export type { ResultKind } from './resultFilesCache';

export interface ResultFilesOptions {
  client: Pick<AnalysisClient, 'analysisJob' | 'masksJob'>;
  /** Where downloads are kept; the account's own. */
  directory: string;
  network: NetworkSettings;
  log: Log;
  /** How much is kept, in bytes. */
  cacheBytes: () => number;
}

/** A result on disk. */
export interface ResultFile {
  path: string;
  bytes: number;
}

/** Bytes; `total` is 0 where the server does not say. */
export type DownloadProgress = (done: number, total: number) => void;

interface Download {
  work: SharedWork<ResultFile>;
  listeners: Set<DownloadProgress>;
}

/**
 * The results of jobs as files: downloaded once and kept while there is room. Links are fetched anew each time.
 * `dispose` ends the downloads that are under way with `cancelled`.
 */
export class ResultFiles implements Disposable {
  private readonly cache: ResultFilesCache;
  private readonly downloads = new Map<string, Download>();
  /** Files that must stay: being downloaded or copied, with the number of users. */
  private readonly inUse = new Map<string, number>();
  private readonly over = new AbortController();
  private readonly storage: ResultDownloads;

  constructor(private readonly options: ResultFilesOptions) {
    this.cache = new ResultFilesCache(options.directory, options.log);
    this.storage = new ResultDownloads(options.network, options.log);
  }

  /**
   * The result's file in the cache. Who asks while it is being downloaded shares that download; it ends when nobody
   * wants it any more. Throws `not-found` before there is a result, `job-failed`, `link-expired` when a fresh link did
   * not help either, `no-space`, and what the network throws.
   */
  async fetch(
    jobId: string,
    what: ResultKind,
    onProgress: DownloadProgress = () => undefined,
    signal?: AbortSignal,
  ): Promise<ResultFile> {
    throwIfCancelled(signal);
    const file = this.cache.fileFor(jobId, what);
    const bytes = this.downloads.has(file) ? undefined : await this.cache.find(file);
    if (bytes !== undefined) {
      onProgress(bytes, bytes);
      return { path: file, bytes };
    }
    throwIfCancelled(signal);
    const known = this.downloads.get(file);
    // What is being given up cannot be joined.
    const download = known && !known.work.isCancelled ? known : this.begin(jobId, what, file);
    // Each asker has its own place, even with the same function.
    const listener: DownloadProgress = (done, total) => onProgress(done, total);
    download.listeners.add(listener);
    try {
      return await download.work.wait(signal);
    } finally {
      download.listeners.delete(listener);
    }
  }

  /**
   * Puts a copy of the result where the user wants it. Throws `exists` unless `overwrite`, `no-space`, `not-found` (no
   * such folder), `not-a-file`, and what `fetch` throws; there is never half a file.
   */
  async save(
    jobId: string,
    what: ResultKind,
    destinationPath: string,
    { overwrite = false, onProgress }: { overwrite?: boolean; onProgress?: DownloadProgress } = {},
    signal?: AbortSignal,
  ): Promise<ResultFile> {
    throwIfCancelled(signal);
    if (!overwrite) await refuseExisting(destinationPath);
    const file = this.cache.fileFor(jobId, what);
    this.hold(file);
    try {
      const kept = await this.fetch(jobId, what, onProgress, signal);
      const bytes = await writeAside(destinationPath, createReadStream(kept.path, signal ? { signal } : {}), {
        overwrite,
        expected: kept.bytes,
        signal,
      });
      return { path: destinationPath, bytes };
    } finally {
      this.release(file);
    }
  }

  dispose(): void {
    this.over.abort();
    this.storage.dispose();
  }

  private begin(jobId: string, what: ResultKind, file: string): Download {
    const listeners = new Set<DownloadProgress>();
    const tell: DownloadProgress = (done, total) => listeners.forEach(listener => listener(done, total));
    const work = new SharedWork(async signal => {
      try {
        return await this.download(jobId, what, file, tell, AbortSignal.any([signal, this.over.signal]));
      } finally {
        if (this.downloads.get(file) === download) this.downloads.delete(file);
      }
    });
    const download: Download = { work, listeners };
    this.downloads.set(file, download);
    return download;
  }

  private async download(
    jobId: string,
    what: ResultKind,
    file: string,
    tell: DownloadProgress,
    signal: AbortSignal,
  ): Promise<ResultFile> {
    throwIfCancelled(signal);
    this.hold(file);
    try {
      await this.cache.prepare().catch((error: unknown) => {
        throw fileError(error, path.basename(this.options.directory));
      });
      const bytes = await this.downloadWithFreshLink(jobId, what, file, tell, signal);
      await this.cache
        .settle(file)
        .catch((error: unknown) => this.options.log.warn(`A result cannot be marked: ${String(error)}`));
      await this.cache
        .trim(this.options.cacheBytes(), new Set(this.inUse.keys()))
        .catch((error: unknown) => this.options.log.warn(`Old results cannot be removed: ${String(error)}`));
      return { path: file, bytes };
    } finally {
      this.release(file);
    }
  }

  /** A link that is no longer accepted is asked for once more. */
  private async downloadWithFreshLink(
    jobId: string,
    what: ResultKind,
    file: string,
    tell: DownloadProgress,
    signal: AbortSignal,
  ): Promise<number> {
    try {
      return await this.downloadOnce(jobId, what, file, tell, signal);
    } catch (error) {
      if (!isCoded(error, 'link-expired')) throw error;
      this.options.log.info(`The link to the ${what} of job ${jobId} has expired; asking for another`);
      return this.downloadOnce(jobId, what, file, tell, signal);
    }
  }

  private async downloadOnce(
    jobId: string,
    what: ResultKind,
    file: string,
    tell: DownloadProgress,
    signal: AbortSignal,
  ): Promise<number> {
    const link = await this.linkTo(jobId, what, signal);
    try {
      const { body, contentLength } = await this.storage.open(link, signal);
      const total = contentLength ?? 0;
      tell(0, total);
      return await writeAside(file, body, {
        overwrite: true,
        secret: true,
        onBytes: done => tell(done, total),
        expected: contentLength,
        signal,
      });
    } catch (error) {
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      throw new CodedError(error.code, error.message, { ...error.details, subject: jobId });
    }
  }

  /** The result's link as the service gives it now. It is a secret. */
  private async linkTo(jobId: string, what: ResultKind, signal: AbortSignal): Promise<string> {
    const { client } = this.options;
    if (what === 'masks') {
      const masks = await client.masksJob(jobId, signal);
      return masks.masksZipUrl ?? missing(jobId, masks);
    }
    const job = await client.analysisJob(jobId, signal);
    return (what === 'objects' ? job.objectsDataCSVUrl : job.aggregateDataCSVUrl) ?? missing(jobId, job);
  }

  private hold(file: string): void {
    this.inUse.set(file, (this.inUse.get(file) ?? 0) + 1);
  }

  private release(file: string): void {
    const users = (this.inUse.get(file) ?? 1) - 1;
    if (users === 0) this.inUse.delete(file);
    else this.inUse.set(file, users);
  }
}

function missing(jobId: string, { status, reason }: { status: string; reason?: string }): never {
  if (namesFailure(status)) {
    throw new CodedError('job-failed', 'The job failed', {
      subject: jobId,
      ...(reason !== undefined && { reason }),
    });
  }
  throw new CodedError('not-found', 'The job has no such result yet', {
    subject: jobId,
    reason: `The job has not finished, or has no such result (status ${status || 'unknown'})`,
  });
}
