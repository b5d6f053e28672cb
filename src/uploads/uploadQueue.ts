import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LARGEST_UPLOAD, type AnalysisClient } from '../api/client';
import { CodedError, cancelledError, isCoded, type ErrorCode } from '../base/errors';
import type { Log } from '../base/log';
import { untilCancelled } from '../base/untilCancelled';
import { folderFor, type FileSource } from './fileSource';
import { UploadMeter, type UploadProgress } from './uploadMeter';
import type { UploadRecords } from './uploadRecords';

export type { UploadProgress } from './uploadMeter';

export interface UploadOptions {
  /** Slash-separated; the root without. */
  destinationFolder?: string;
  /** How many files are sent at a time. */
  concurrency: number;
  onProgress?: (progress: UploadProgress) => void;
  records?: Pick<UploadRecords, 'add'>;
  signal?: AbortSignal;
  log?: Log;
  /** For tests: milliseconds. */
  now?: () => number;
}

export interface UploadedFile {
  uri: string;
  id: string;
  fileName: string;
}

export interface FailedUpload {
  uri: string;
  code: ErrorCode;
  /** What happened, with the reason where one is known. */
  message: string;
}

export interface UploadOutcome {
  uploaded: UploadedFile[];
  failed: FailedUpload[];
}

/** Pieces of a file that are hashed and sent at once: a larger one would hold the thread. */
const PIECE = 256 * 1024;

/**
 * Uploads files, a few at a time; both lists are in the order of the sources. All sizes are checked before the first
 * byte is sent. A failure costs its file only, but a refused key ends the rest with it, and so does a cancel. Nothing
 * is sent twice. Never rejects for what happens to a file.
 */
export async function uploadFiles(
  client: Pick<AnalysisClient, 'uploadFile'>,
  sources: readonly FileSource[],
  options: UploadOptions,
): Promise<UploadOutcome> {
  const outcomes = new Array<UploadedFile | FailedUpload | undefined>(sources.length);
  const sizes = new Array<number>(sources.length).fill(0);
  await inParallel(sources, options.concurrency, async (source, index) => {
    try {
      sizes[index] = await checkedSize(source, options.signal);
    } catch (error) {
      outcomes[index] = failure(source, error);
    }
  });
  const now = options.now ?? (() => performance.now());
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const report = options.onProgress ?? (() => undefined);
  const meter = new UploadMeter(sources.length, total, report, now);
  let refused: CodedError | undefined;
  await inParallel(sources, options.concurrency, async (source, index) => {
    const size = sizes[index] ?? 0;
    if (outcomes[index]) return meter.done(source.fileName, 0);
    const upload = new Upload(client, source, size, meter, options);
    try {
      if (refused) throw refused;
      if (options.signal?.aborted) throw cancelledError();
      outcomes[index] = await upload.run();
    } catch (error) {
      if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) refused ??= error;
      outcomes[index] = failure(source, error);
    }
    meter.done(source.fileName, upload.unsent);
  });
  const settled = outcomes.filter(outcome => outcome !== undefined);
  return {
    uploaded: settled.filter(outcome => 'id' in outcome),
    failed: settled.filter(outcome => 'code' in outcome),
  };
}

/** One file on its way. */
class Upload {
  private sent = 0;
  private readonly hash: Hash = createHash('sha256');

  constructor(
    private readonly client: Pick<AnalysisClient, 'uploadFile'>,
    private readonly source: FileSource,
    private size: number,
    private readonly meter: UploadMeter,
    private readonly options: UploadOptions,
  ) {}

  get unsent(): number {
    return this.size - this.sent;
  }

  async run(): Promise<UploadedFile> {
    const { source, options } = this;
    const { uri, fileName } = source;
    const destinationFolder = folderFor(options.destinationFolder, source.folder);
    // It may have waited long: what counts is how the file is now.
    const identity = await untilCancelled(
      this.ask(() => source.identity()),
      options.signal,
    );
    const size = await checkedSize(source, options.signal);
    this.meter.resized(size - this.size);
    this.size = size;
    const { id } = await this.client.uploadFile(
      {
        fileName,
        ...(destinationFolder !== undefined && { destinationFolder }),
        size,
        open: signal => this.read(identity, signal),
      },
      sent => {
        this.meter.sent(fileName, sent - this.sent);
        this.sent = sent;
      },
      options.signal,
    );
    const sha256 = this.hash.digest('hex');
    const uploadedAt = new Date().toISOString();
    try {
      await options.records?.add(id, {
        uri,
        fileName,
        ...(destinationFolder !== undefined && { destinationFolder }),
        size,
        sha256,
        uploadedAt,
      });
    } catch (error) {
      // The file is there all the same; only its picture will have to be found by name.
      options.log?.error('An upload could not be remembered', error);
    }
    return { uri, id, fileName };
  }

  /** The file's bytes, hashed as they pass. Before the last of them counts, the file must still be what it was. */
  private async *read(identity: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { source } = this;
    let atOnce = 0;
    try {
      for await (const chunk of source.open(signal)) {
        for (let start = 0; start < chunk.byteLength; start += PIECE) {
          const piece = chunk.subarray(start, start + PIECE);
          this.hash.update(piece);
          yield piece;
          // A near receiver takes all at once, and neither it nor a file that lies in memory lets others have a turn.
          atOnce += piece.byteLength;
          if (atOnce < PIECE) continue;
          atOnce = 0;
          await nextTurn();
        }
      }
    } catch (error) {
      throw unreadable(source, error);
    }
    if ((await this.ask(() => source.identity())) !== identity) {
      throw new CodedError('file-changed', 'The file changed while it was sent', {
        subject: source.fileName,
      });
    }
  }

  private async ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw unreadable(this.source, error);
    }
  }
}

/** The source's size. Throws `file-too-large`, `not-a-file`, or `cancelled`. */
async function checkedSize(source: FileSource, signal: AbortSignal | undefined): Promise<number> {
  let size: number;
  try {
    size = await untilCancelled(source.size(), signal);
  } catch (error) {
    throw unreadable(source, error);
  }
  if (size > LARGEST_UPLOAD) {
    throw new CodedError('file-too-large', 'The file is larger than the service takes', {
      subject: source.fileName,
    });
  }
  return size;
}

function unreadable({ fileName }: FileSource, error: unknown): CodedError {
  if (isCoded(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CodedError('not-a-file', 'The file cannot be read', { subject: fileName, reason });
}

function failure(source: FileSource, error: unknown): FailedUpload {
  const { code, message, details } = unreadable(source, error);
  return { uri: source.uri, code, message: details.reason ? `${message}: ${details.reason}` : message };
}

/** Runs `work` on each item, at most `concurrency` at a time, beginning in their order. */
async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    // All workers draw from the one iterator.
    for (const [index, item] of queue) await work(item, index);
  };
  const workers = Math.max(1, Math.min(Math.floor(concurrency) || 1, items.length));
  await Promise.all(Array.from({ length: workers }, worker));
}
