import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CancelSignal } from '../../base/canceling';
import { CodedError } from '../../base/errors';
import { unreadableFile } from '../../base/node/fileErrors';
import { untilCanceled } from '../../base/waiting';
import { type AnalysisClient, MAX_UPLOAD_BYTES } from '../../service/node/client';
import { bytesOf } from '../../service/node/multipartBody';
import { changedWhileRead, MAX_WHOLE_BYTES } from './fileReading';
import type { FileFacts, FileSource, WholeFile } from './fileSource';
import type { UploadRecord, UploadRecords } from './uploadRecords';

export interface UploadedFile {
  uri: string;
  id: string;
  fileName: string;
}

/** The dependencies that the uploads of several files share. */
export interface FileUploadDependencies {
  client: Pick<AnalysisClient, 'uploadFile'>;
  records: Pick<UploadRecords, 'add'> | undefined;
  /** The folder on the service for a source's folder; undefined for the root. */
  folderOf: (folder: string | undefined) => string | undefined;
}

/** Maximum bytes that are sent at once; a larger piece would block the thread. */
const PIECE_BYTES = 1024 * 1024;

/** The upload of one file. */
export class FileUpload {
  private sent = 0;

  constructor(
    private readonly dependencies: FileUploadDependencies,
    private readonly source: FileSource,
    private size: number,
    private readonly meter: Pick<UploadMeter, 'sent' | 'resized'>,
    private readonly signal: CancelSignal | undefined,
    /** The file, if it was or is being read ahead. */
    private readonly readAhead?: WholeFile | Promise<WholeFile | undefined>,
  ) {}

  async run(): Promise<UploadedFile> {
    const { source, dependencies, readAhead } = this;
    const { uri, fileName } = source;
    const destinationFolder = dependencies.folderOf(source.folder);
    // The file may have changed while it waited in the queue.
    const wholeFile =
      readAhead instanceof Promise || !readAhead ? await this.wholeFile(readAhead) : readAhead;
    const { size, identity } = wholeFile ?? (await checkedFacts(source, this.signal));
    this.meter.resized(size - this.size);
    this.size = size;
    const { id } = await dependencies.client.uploadFile(
      {
        fileName,
        destinationFolder,
        size,
        open: signal => (wholeFile ? onePiece(bytesOf(wholeFile)) : this.pieces(size, identity, signal)),
        inMemory: wholeFile,
      },
      sent => {
        this.meter.sent(fileName, sent - this.sent);
        this.sent = sent;
      },
      this.signal,
    );
    const record: UploadRecord = { uri, fileName, size, identity, uploadedAt: new Date().toISOString() };
    if (destinationFolder !== undefined) record.destinationFolder = destinationFolder;
    dependencies.records?.add(id, record);
    return { uri, id, fileName };
  }

  /** Reads a short file; undefined if the file is long by now. */
  private async wholeFile(
    reading: Promise<WholeFile | undefined> | undefined,
  ): Promise<WholeFile | undefined> {
    if (this.size > MAX_WHOLE_BYTES) return undefined;
    try {
      return await untilCanceled(reading ?? this.source.whole(), this.signal);
    } catch (error) {
      throw unreadableFile(error, this.source.fileName);
    }
  }

  /** Yields the bytes of a long file. Throws at the end if the file changed in the meantime. */
  private async *pieces(
    size: number,
    identity: string,
    signal: CancelSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { source } = this;
    try {
      for await (const chunk of source.open(size, signal)) {
        for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) {
          // Let other work run: with a service on this machine, this loop would never wait.
          if (start > 0) await nextTurn();
          yield chunk.subarray(start, start + PIECE_BYTES);
        }
      }
    } catch (error) {
      throw unreadableFile(error, source.fileName);
    }
    await this.throwIfChanged(identity);
  }

  private async throwIfChanged(identity: string): Promise<void> {
    if ((await factsOf(this.source)).identity === identity) return;
    throw changedWhileRead(this.source.fileName);
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

/** The source's size from the selection; undefined if unknown. Throws `file-too-large`. */
export function checkedListedSize(source: FileSource): number | undefined {
  const { listedSize } = source;
  if (listedSize !== undefined) throwIfTooLarge(source, listedSize);
  return listedSize;
}

/** The source's current facts. Throws `file-too-large`, `not-a-file`, or `cancelled`. */
export async function checkedFacts(source: FileSource, signal: CancelSignal | undefined): Promise<FileFacts> {
  const facts = await untilCanceled(factsOf(source), signal);
  throwIfTooLarge(source, facts.size);
  return facts;
}

function throwIfTooLarge({ fileName }: FileSource, size: number): void {
  if (size <= MAX_UPLOAD_BYTES) return;
  throw new CodedError('file-too-large', 'The file is larger than the service accepts', {
    subject: fileName,
  });
}

async function factsOf(source: FileSource): Promise<FileFacts> {
  try {
    return await source.facts();
  } catch (error) {
    throw unreadableFile(error, source.fileName);
  }
}

/** The progress of an upload of several files. */
export interface UploadProgress {
  /** Name of the file whose progress changed last. */
  file: string;
  /** Number of files that were uploaded or failed. */
  filesDone: number;
  filesTotal: number;
  bytesSent: number;
  bytesTotal: number;
  /** Average of the last ten seconds; absent in the first second. */
  bytesPerSecond?: number;
  secondsLeft?: number;
}

/** Milliseconds over which the rate is measured. */
const WINDOW_MS = 10_000;
const MIN_REPORT_INTERVAL_MS = 100;
const MIN_SAMPLE_INTERVAL_MS = 100;

/**
 * Sums the progress of several files. Reports at most ten times a second, and each finished file.
 */
export class UploadMeter {
  private readonly samples: { time: number; bytes: number }[] = [];
  private filesDone = 0;
  private bytesSent = 0;
  private lastReport = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly filesTotal: number,
    private bytesTotal: number,
    private readonly report: (progress: UploadProgress) => void,
    private readonly now: () => number,
  ) {
    this.samples.push({ time: now(), bytes: 0 });
  }

  /** Counts more sent bytes of a file. */
  sent(file: string, bytes: number): void {
    this.bytesSent += bytes;
    const now = this.now();
    if (now - this.lastReport >= MIN_REPORT_INTERVAL_MS) this.update(file, now);
  }

  /** Corrects the total, because a file is longer or shorter than at the start. */
  resized(difference: number): void {
    this.bytesTotal += difference;
  }

  /** Counts a finished file; `unsent` bytes of it won't be sent. */
  done(file: string, unsent: number): void {
    this.filesDone += 1;
    this.bytesTotal -= unsent;
    this.update(file, this.now());
  }

  /** Counts a finished file as unfinished again, because it is sent again. */
  restarted(size: number): void {
    this.filesDone -= 1;
    this.bytesTotal += size;
  }

  private update(file: string, now: number): void {
    this.lastReport = now;
    // Limit the samples: thousands of files may end within the window.
    if (now - (this.samples.at(-1)?.time ?? 0) >= MIN_SAMPLE_INTERVAL_MS)
      this.samples.push({ time: now, bytes: this.bytesSent });
    // Drop old samples, but keep the newest one that is at least as old as the window.
    while (this.samples.length > 2 && now - (this.samples[1]?.time ?? now) >= WINDOW_MS) this.samples.shift();
    const first = this.samples[0] ?? { time: now, bytes: this.bytesSent };
    const seconds = (now - first.time) / 1000;
    const rate = seconds >= 1 ? (this.bytesSent - first.bytes) / seconds : undefined;
    const bytesLeft = Math.max(0, this.bytesTotal - this.bytesSent);
    const { filesDone, filesTotal, bytesSent, bytesTotal } = this;
    const progress: UploadProgress = { file, filesDone, filesTotal, bytesSent, bytesTotal };
    if (rate !== undefined) progress.bytesPerSecond = rate;
    if (rate !== undefined && rate > 0) progress.secondsLeft = bytesLeft / rate;
    this.report(progress);
  }
}
