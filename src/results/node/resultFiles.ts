import type { Disposable } from '../../base/disposable';
import { checkSavedName } from '../../base/savedName';
import { canceledError, CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import type { Log } from '../../base/log';
import { type AtomicFileSystem, writeAtomicFile } from '../../base/node/atomicFile';
import { whenReleased } from '../../base/node/diskErrors';
import { fileError, refuseExisting } from '../../base/node/fileErrors';
import { JoinedWork } from '../../base/node/joinedWork';
import { reason, codedReason, quoted } from '../../base/reasons';
import { delay as realDelay, untilCanceled } from '../../base/waiting';
import { RunningChecksum } from '../../service/node/checksums';
import type { AnalysisClient } from '../../service/node/client';
import type { NetworkSettings } from '../../service/node/networkSettings';
import { type OpenedResult, ResultDownloads } from '../../service/node/resultDownloads';
import { retryDelay } from '../../service/node/retries';
import type { ServiceHost } from '../../service/node/serviceHost';
import { namesFailure } from '../../service/node/statusWords';
import { checkContent } from './checkContent';
import { type ResultName, ResultFilesCache } from './resultFilesCache';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import * as path from 'node:path';

interface ResultFilesOptions {
  client: Pick<AnalysisClient, 'analysisJob' | 'masksJob'>;
  /** The account's folder for downloads. */
  directory: string;
  /** The folder of earlier versions, from which files are moved. */
  former?: string | undefined;
  network: NetworkSettings;
  service: ServiceHost;
  log: Log;
  /** Maximum disk space of all downloads together, in bytes. */
  cacheBytes: () => number;
  /** For tests: waits before a retry. */
  delay?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** For tests: a monotonic clock in milliseconds. */
  now?: (() => number) | undefined;
}

/** A result on disk. */
interface ResultFile {
  path: string;
  bytes: number;
}

/** Bytes; `total` is 0 if the server doesn't send it. */
type DownloadProgress = (done: number, total: number) => void;

interface FetchRequest extends ResultName {
  onProgress?: DownloadProgress;
}

interface SaveRequest extends FetchRequest {
  /** Path of the copy. */
  destination: string;
  /** Whether to replace an existing file; else `exists`. */
  overwrite?: boolean | undefined;
}

interface Download {
  work: JoinedWork<ResultFile>;
  listeners: Set<DownloadProgress>;
}

/**
 * Results of jobs as files: downloaded once, cached within a size limit. Each download requests a
 * new link. `dispose` cancels running downloads.
 */
export class ResultFiles implements Disposable {
  private readonly cache: ResultFilesCache;
  private readonly downloads = new Map<string, Download>();
  /** Files being downloaded or copied, with the number of users: they must not be removed. */
  private readonly inUse = new Map<string, number>();
  /** Files that this window downloaded. */
  private readonly downloadedHere = new Set<string>();
  private readonly closing = new AbortController();
  private readonly storage: ResultDownloads;

  constructor(private readonly options: ResultFilesOptions) {
    this.cache = new ResultFilesCache(options.directory, options.log, options.former);
    void this.cache.moveAll();
    this.storage = new ResultDownloads(options);
  }

  /**
   * The result's file in the cache; empty for a result without objects. Concurrent requests share a
   * download, which is canceled when no caller waits for it. Throws `not-found` before there is a
   * result, `job-failed`, `link-expired` if a new link failed too, `no-space`, `file-too-large`,
   * `damaged-archive` and `unexpected-response` for invalid content, and network errors.
   */
  async fetch({ jobId, part, onProgress }: FetchRequest, signal?: AbortSignal): Promise<ResultFile> {
    throwIfCanceled(signal);
    const name = { jobId, part };
    const file = this.cache.fileFor(name);
    const bytes = this.downloads.has(file) ? undefined : await this.find(name, file, signal);
    if (bytes !== undefined) {
      onProgress?.(bytes, bytes);
      return { path: file, bytes };
    }
    throwIfCanceled(signal);
    const running = this.downloads.get(file);
    // A canceled download can't be joined.
    const download = running && !running.work.isCanceled ? running : this.begin(name, file);
    // A listener for each caller, as several callers may pass the same function.
    const listener: DownloadProgress = (done, total) => onProgress?.(done, total);
    download.listeners.add(listener);
    try {
      return await download.work.wait(signal);
    } finally {
      download.listeners.delete(listener);
    }
  }

  /**
   * Copies the result to a file that the user selected. Throws `exists` unless `overwrite`,
   * `no-space`, `not-found` (no such folder), `not-a-file`, and errors of `fetch`; never leaves a
   * part of a file.
   */
  async save(request: SaveRequest, signal?: AbortSignal): Promise<ResultFile> {
    const { destination, overwrite = false } = request;
    throwIfCanceled(signal);
    checkSavedName(destination, request.part === 'masks' ? 'zip' : 'CSV');
    if (!overwrite) await refuseExisting(destination);
    return this.using(this.cache.fileFor(request), async () => {
      const cached = await this.fetch(request, signal);
      await requireSpace(path.dirname(destination), cached.bytes);
      await writeChunks(destination, chunksOf(cached.path, signal), {
        overwrite,
        expected: cached.bytes,
        signal,
      });
      return { path: destination, bytes: cached.bytes };
    });
  }

  /**
   * Removes a damaged file from the cache. Returns whether downloading again may help: it doesn't
   * if this window downloaded the file.
   */
  async discard(name: ResultName): Promise<boolean> {
    const file = this.cache.fileFor(name);
    if (this.downloads.has(file)) return false;
    this.options.log.warn(
      `The file for the ${name.part} of job ${name.jobId} is damaged and is removed from the cache`,
    );
    await this.cache.remove(file);
    return !this.downloadedHere.has(file);
  }

  dispose(): void {
    this.closing.abort();
    this.cache.dispose();
    this.storage.dispose();
  }

  /**
   * The size of the cached file. Tables that this window didn't download are checked first, as
   * earlier versions cached any response. Archives are checked when they are opened.
   */
  private async find(
    { jobId, part }: ResultName,
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<number | undefined> {
    // A file of an earlier version may have to be copied from another volume.
    const bytes = await untilCanceled(this.cache.find(file), signal);
    if (bytes === undefined || part === 'masks' || this.downloadedHere.has(file)) return bytes;
    try {
      await using handle = await open(file);
      await checkContent(handle, bytes, part, signal);
      return bytes;
    } catch (error) {
      throwIfCanceled(signal);
      if (!isCoded(error)) return bytes;
      // Another caller has replaced the file in the meantime.
      if (this.downloadedHere.has(file)) return this.cache.find(file);
      await this.discard({ jobId, part });
      return undefined;
    }
  }

  private begin(name: ResultName, file: string): Download {
    const listeners = new Set<DownloadProgress>();
    const onProgress: DownloadProgress = (done, total) =>
      listeners.forEach(listener => listener(done, total));
    const work = new JoinedWork(async signal => {
      try {
        const transferSignal = AbortSignal.any([signal, this.closing.signal]);
        return await this.using(file, () => this.download({ ...name, onProgress }, file, transferSignal));
      } finally {
        if (this.downloads.get(file) === download) this.downloads.delete(file);
      }
    });
    const download: Download = { work, listeners };
    this.downloads.set(file, download);
    return download;
  }

  private async download(
    request: Required<FetchRequest>,
    file: string,
    signal: AbortSignal,
  ): Promise<ResultFile> {
    const { directory, log, cacheBytes } = this.options;
    throwIfCanceled(signal);
    await this.cache.prepare().catch((error: unknown) => {
      throw fileError(error, path.basename(directory));
    });
    const bytes = await this.transfer(request, file, signal);
    this.downloadedHere.add(file);
    await this.cache
      .settle(file)
      .catch((error: unknown) => log.warn(`A result cannot be marked: ${String(error)}`));
    await this.cache
      .trim(cacheBytes(), new Set(this.inUse.keys()))
      .catch((error: unknown) => log.warn(`Old results cannot be removed: ${String(error)}`));
    return { path: file, bytes };
  }

  /** Downloads into an atomic file, which gets its name once its content is checked. */
  private async transfer(
    request: Required<FetchRequest>,
    file: string,
    signal: AbortSignal,
  ): Promise<number> {
    const { jobId, part, onProgress } = request;
    const { client, directory, log, cacheBytes, delay } = this.options;
    try {
      return await writeAtomicFile(
        file,
        async handle => {
          const transfer = new Transfer(handle, {
            storage: this.storage,
            link: linkSignal => currentLink(client, request, linkSignal),
            folder: directory,
            maxBytes: cacheBytes(),
            onProgress,
            onLinkExpired: () =>
              log.info(`The link to the ${part} of job ${jobId} has expired; requesting another`),
            delay,
          });
          const bytes = await transfer.run(signal);
          await checkContent(handle, bytes, part, signal);
          return bytes;
        },
        { signal, mode: 0o600 },
      );
    } catch (error) {
      if (signal.aborted) throw canceledError();
      const { code, message, details } = fileError(error, path.basename(file));
      throw new CodedError(code, message, { ...details, subject: jobId });
    }
  }

  /** Runs work while the file must stay in the cache. */
  private async using<T>(file: string, work: () => Promise<T>): Promise<T> {
    this.inUse.set(file, (this.inUse.get(file) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const users = (this.inUse.get(file) ?? 1) - 1;
      if (users === 0) this.inUse.delete(file);
      else this.inUse.set(file, users);
    }
  }
}

/** The bytes of a file, opened on first use: an unread stream would stay open. */
async function* chunksOf(file: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  // A virus scanner may be reading the new file.
  const handle = await whenReleased(() => open(file), signal);
  yield* handle.createReadStream(signal ? { signal } : {}) as AsyncIterable<Uint8Array>;
}

interface WriteOptions {
  /** Whether to replace an existing file; else `exists`. */
  overwrite: boolean;
  /** The required number of bytes. */
  expected: number;
  signal?: AbortSignal | undefined;
  fileSystem?: AtomicFileSystem;
}

/**
 * Writes bytes to an atomic file. Throws `exists`, `no-space`, `not-found` (no such folder),
 * `not-a-file`, `file-changed` for another number of bytes, `cancelled`; leaves nothing behind
 * then.
 */
export async function writeChunks(
  destination: string,
  chunks: AsyncIterable<Uint8Array>,
  { overwrite, expected, ...options }: WriteOptions,
): Promise<void> {
  const { signal } = options;
  const subject = path.basename(destination);
  const write = async (file: FileHandle) => {
    const bytes = await writeAll(file, chunks, signal);
    if (bytes !== expected)
      throw new CodedError('file-changed', `${bytes} bytes came instead of ${expected}`, { subject });
  };
  try {
    await writeAtomicFile(destination, write, { ...options, replace: overwrite });
  } catch (error) {
    if (signal?.aborted) throw canceledError();
    throw fileError(error, subject);
  }
}

/** Returns the number of bytes written. */
async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let written = 0;
  for await (const chunk of chunks) {
    throwIfCanceled(signal);
    for (let start = 0; start < chunk.byteLength;) {
      const { bytesWritten } = await file.write(chunk.subarray(start));
      start += bytesWritten;
    }
    written += chunk.byteLength;
  }
  return written;
}

/** After this many bytes, the count of attempts starts again, if the server can resume. */
const MIN_PROGRESS_BYTES = 1024 * 1024;

interface TransferOptions {
  storage: Pick<ResultDownloads, 'open'>;
  /** The current link to the result; it is a secret. */
  link: (signal: AbortSignal) => Promise<string>;
  /** The folder of the file, to check the free space of its volume. */
  folder: string;
  /** Maximum size of the file in bytes. */
  maxBytes: number;
  /** Bytes; `total` is 0 if the server doesn't send it. */
  onProgress: (done: number, total: number) => void;
  onLinkExpired: () => void;
  /** For tests: waits before a retry. */
  delay?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Downloads a result into an open file. Broken transfers are retried like requests, and resumed if
 * the server can; an expired link is replaced by a new one.
 */
class Transfer {
  private received = 0;
  private size: number | undefined;
  private version: string | undefined;
  private checksum: RunningChecksum | undefined;

  constructor(
    private readonly file: FileHandle,
    private readonly options: TransferOptions,
  ) {}

  /**
   * Returns the bytes of the whole file. Throws `file-too-large`, `no-space`, `link-expired` if a
   * new link failed too, `unexpected-response` for a wrong checksum, network errors and errors of
   * `link`.
   */
  async run(signal: AbortSignal): Promise<number> {
    const { delay = realDelay } = this.options;
    let link = await this.options.link(signal);
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const receivedBefore = this.received;
      try {
        await this.receive(link, signal);
        return this.received;
      } catch (error) {
        if (this.version !== undefined && this.received - receivedBefore >= MIN_PROGRESS_BYTES) {
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
    const { received, version, size } = this;
    const resume = version !== undefined && received > 0 ? { from: received, version, size } : undefined;
    const opened = await this.options.storage.open(link, { resume, signal });
    try {
      if (opened.start === 0) await this.startOver(opened);
      await this.checkSize();
      await this.write(opened.body, signal);
    } finally {
      opened.close();
    }
    if (this.size !== undefined && this.received !== this.size) {
      const cause = reason('Received {0} of {1} bytes', this.received, this.size);
      throw new CodedError('network', 'The download ended early', { reason: cause });
    }
    if (this.checksum && !this.checksum.matches()) {
      throw new CodedError('unexpected-response', 'The checksum of the download is wrong', {
        reason: reason("The checksum doesn't match what was received"),
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
        const remaining = chunk.byteLength - done;
        done += (await this.file.write(chunk, done, remaining, this.received + done)).bytesWritten;
      }
      this.checksum?.update(chunk);
      this.received += chunk.byteLength;
      onProgress(this.received, size);
    }
  }
}

function tooLarge(maxBytes: number): CodedError {
  return new CodedError('file-too-large', 'The result is larger than results may be', {
    reason: codedReason('over-cache-size', 'It is larger than {0} MB', Math.floor(maxBytes / (1024 * 1024))),
  });
}

/**
 * The current link to a result; it is a secret. Throws `not-found` if there is no result yet,
 * `job-failed`.
 */
async function currentLink(
  client: Pick<AnalysisClient, 'analysisJob' | 'masksJob'>,
  { jobId, part }: ResultName,
  signal: AbortSignal,
): Promise<string> {
  if (part === 'masks') {
    const masks = await client.masksJob(jobId, signal);
    return masks.masksZipUrl ?? throwMissing(jobId, masks);
  }
  const job = await client.analysisJob(jobId, signal);
  return (part === 'objects' ? job.objectsDataCSVUrl : job.aggregateDataCSVUrl) ?? throwMissing(jobId, job);
}

function throwMissing(
  jobId: string,
  { status, reason: failureReason }: { status: string; reason?: string },
): never {
  if (namesFailure(status)) {
    throw new CodedError('job-failed', 'The job failed', {
      subject: jobId,
      ...(failureReason !== undefined && { reason: quoted(failureReason) }),
    });
  }
  throw new CodedError('not-found', 'The job has no such result yet', {
    subject: jobId,
    reason: reason("The job hasn't finished or doesn't have this result (status: {0})", status || 'unknown'),
  });
}

const MEGABYTE = 1024 * 1024;

/**
 * Throws `no-space` if a volume has less than `bytes` free; passes if its free space is unknown.
 */
async function requireSpace(folder: string, bytes: number): Promise<void> {
  const volume = await statfs(folder).catch(() => undefined);
  if (!volume || volume.blocks === 0) return;
  const free = volume.bavail * volume.bsize;
  if (free >= bytes) return;
  throw new CodedError('no-space', 'The volume has too little space', {
    reason: reason('{0} MB needed, {1} MB free', Math.ceil(bytes / MEGABYTE), Math.floor(free / MEGABYTE)),
  });
}
