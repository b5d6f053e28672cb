import { Canceling } from '../../base/canceling';
import { canceledError, CodedError, isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import { unreadableFile } from '../../base/node/fileErrors';
import { inParallel } from '../../base/waiting';
import type { AnalysisClient } from '../../service/node/client';
import { MAX_WHOLE_BYTES } from './fileReading';
import { type FileSource, foldersUnder, type WholeFile } from './fileSource';
import {
  checkedFacts,
  checkedListedSize,
  FileUpload,
  type FileUploadDependencies,
  type UploadedFile,
  UploadMeter,
  type UploadProgress,
} from './fileUpload';
import type { UploadRecords } from './uploadRecords';

/** The state of a file in an upload. */
export type FileState = 'queued' | 'sending' | 'done' | 'failed' | 'canceled';

/** Saves the states of an upload's files on disk. */
export interface UploadJournal {
  /** Notes that files are about to be sent. Throws `cancelled` if they must not be. */
  sending(indexes: readonly number[]): Promise<void>;
  ended(index: number, state: FileState): void;
}

interface UploadOptions {
  /** Slash-separated; the root if missing. */
  destinationFolder?: string;
  records?: Pick<UploadRecords, 'add'>;
  /** Maximum number of files to send at the same time. */
  concurrency: number;
  signal?: AbortSignal;
  onProgress?: (progress: UploadProgress) => void;
  journal?: UploadJournal;
  /** For tests: milliseconds. */
  now?: () => number;
}

interface FailedUpload {
  uri: string;
  /** Its subject is the file's name. */
  error: CodedError;
}

interface UploadOutcome {
  uploaded: UploadedFile[];
  failed: FailedUpload[];
}

/** The shown facts of a file in a running upload. */
export interface QueuedFile {
  readonly uri: string;
  readonly fileName: string;
  readonly state: FileState;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
  /** Average since its upload began; absent in the first second. */
  readonly bytesPerSecond?: number;
  /** Why it failed. */
  readonly error?: CodedError;
}

/**
 * Files are announced to the journal in groups, because it writes once per group. A group has twice
 * as many files as the last one if that was sent in less than QUICK_MS. So a crash leaves only the
 * files of about half a second undecided.
 */
const ANNOUNCED_BYTES = 16 * 1024 * 1024;
const ANNOUNCED_FILES = 64;
const MAX_ANNOUNCED_FILES = 512;
const QUICK_MS = 250;

/** Limits of reading ahead, which starts when fewer than FEW_FILES are read ahead. */
const READ_AHEAD_FILES = 12;
const READ_AHEAD_BYTES = 4 * 1024 * 1024;
const FEW_FILES = 6;

/** Milliseconds after which a file is read again, because it may have changed. */
const READ_AHEAD_MS = 1000;

/**
 * Uploads files, a few at a time. All sizes are checked before the first byte is sent. If a file
 * fails, the others continue; a refused key or a cancel ends all. Only `retry` sends a file again.
 */
export class UploadQueue {
  private readonly entries: Entry[];
  private readonly changed = new Emitter<void>();
  /** Waiting files, in the order in which they will be sent. */
  private waiting: Entry[];
  /** The next files to send; the journal has them. */
  private readonly announced: Entry[] = [];
  private announcing: Promise<void> | undefined;
  private groupSize = ANNOUNCED_FILES;
  private announcedAt = Number.NEGATIVE_INFINITY;
  private meter: UploadMeter | undefined;
  private refused: CodedError | undefined;
  private readonly now: () => number;
  private readonly fileDependencies: FileUploadDependencies;
  private workers = 0;
  private endRun: (() => void) | undefined;

  /** Fires when a file's state or progress changes. */
  readonly onDidChange = this.changed.event;

  constructor(
    client: Pick<AnalysisClient, 'uploadFile'>,
    sources: readonly FileSource[],
    private readonly options: UploadOptions,
  ) {
    const { records, destinationFolder } = options;
    this.fileDependencies = { client, records, folderOf: foldersUnder(destinationFolder) };
    this.now = options.now ?? (() => performance.now());
    this.entries = sources.map((source, index) => new Entry(source, index));
    this.waiting = [...this.entries];
  }

  /** The files in the order of their sources. */
  get files(): readonly QueuedFile[] {
    return this.entries;
  }

  /**
   * Uploads the files. Lists of the outcome are in the sources' order. Never rejects for a file.
   */
  async run(): Promise<UploadOutcome> {
    const { onProgress = () => undefined, signal } = this.options;
    const unlisted = this.entries.filter(entry => !this.checkListedSize(entry));
    await inParallel(unlisted, this.concurrency, entry => this.checkSize(entry));
    const total = this.entries.reduce((sum, { error, size }) => (error ? sum : sum + size), 0);
    this.meter = new UploadMeter(this.entries.length, total, onProgress, this.now);
    for (const entry of this.entries) if (entry.error) this.meter.done(entry.fileName, 0);
    const cancelAll = () => this.entries.forEach(entry => entry.canceling?.abort());
    signal?.addEventListener('abort', cancelAll);
    await new Promise<void>(resolve => {
      this.endRun = resolve;
      for (let count = Math.min(this.concurrency, this.entries.length); count > 0; count--)
        this.startWorker();
      if (this.workers === 0) resolve();
    });
    signal?.removeEventListener('abort', cancelAll);
    return {
      uploaded: this.entries.flatMap(({ uploaded }) => uploaded ?? []),
      failed: this.entries.flatMap(({ uri, error }) => (error ? [{ uri, error }] : [])),
    };
  }

  /** Cancels one file; the others continue. */
  cancel(file: QueuedFile): void {
    const entry = this.entries.find(other => other === file);
    if (entry?.state === 'sending') entry.canceling?.abort();
    else if (entry?.state === 'queued') this.settle(entry, canceledError());
  }

  /** Sends a failed or canceled file again; only while other files are being uploaded. */
  retry(file: QueuedFile): void {
    const entry = this.entries.find(other => other === file);
    if (!this.endRun || !entry?.error) return;
    entry.restart();
    this.meter?.restarted(entry.size);
    this.waiting.push(entry);
    if (this.workers < this.concurrency) this.startWorker();
    this.changed.fire();
  }

  /**
   * States to store when the window closes. A file can't have arrived if its last byte wasn't sent.
   */
  statesAtClose(): FileState[] {
    return this.entries.map(entry => {
      const { storedState, sent, size } = entry;
      return storedState === 'sending' && sent < size ? 'queued' : storedState;
    });
  }

  private get concurrency(): number {
    return Math.max(1, Math.floor(this.options.concurrency) || 1);
  }

  /** Checks the size from the selection; false if the size must be read. */
  private checkListedSize(entry: Entry): boolean {
    try {
      return checkedListedSize(entry.source) !== undefined;
    } catch (error) {
      this.settle(entry, error);
      return true;
    }
  }

  private async checkSize(entry: Entry): Promise<void> {
    try {
      entry.size = (await checkedFacts(entry.source, this.options.signal)).size;
    } catch (error) {
      this.settle(entry, error);
    }
  }

  private startWorker(): void {
    this.workers += 1;
    void this.work().finally(() => {
      this.workers -= 1;
      if (this.workers > 0) return;
      this.endRun?.();
      this.endRun = undefined;
    });
  }

  private async work(): Promise<void> {
    for (;;) {
      const entry = this.announced.shift();
      if (!entry) {
        if (this.waiting.length === 0 && !this.announcing) return;
        await this.announceNext();
      } else if (entry.state === 'queued') {
        if (this.isRunningShort) void this.announceNext();
        this.readAhead();
        await this.upload(entry);
      }
    }
  }

  /** Whether few announced files remain, so that the next group should be announced now. */
  private get isRunningShort(): boolean {
    const { announced, waiting } = this;
    if (waiting.length === 0 || announced.length === 0 || announced.length >= READ_AHEAD_FILES) return false;
    return announced.reduce((bytes, { size }) => bytes + size, 0) < READ_AHEAD_BYTES;
  }

  /** Starts reading the next short files while others are sent. */
  private readAhead(): void {
    if (this.announced[FEW_FILES]?.reading) return;
    let bytes = 0;
    for (const entry of this.announced.slice(0, READ_AHEAD_FILES)) {
      if (!entry.isShort || !entry.source.isReadAhead) continue;
      bytes += entry.size;
      if (bytes > READ_AHEAD_BYTES) return;
      entry.readAhead(this.now);
    }
  }

  private announceNext(): Promise<void> {
    return (this.announcing ??= this.announce().finally(() => (this.announcing = undefined)));
  }

  /** Announces the next group of files to the journal. */
  private async announce(): Promise<void> {
    const now = this.now();
    const isQuick = now - this.announcedAt < QUICK_MS;
    this.groupSize = isQuick ? Math.min(2 * this.groupSize, MAX_ANNOUNCED_FILES) : ANNOUNCED_FILES;
    this.announcedAt = now;
    const group: Entry[] = [];
    let bytes = 0;
    while (group.length < this.groupSize && bytes < ANNOUNCED_BYTES) {
      const entry = this.waiting.shift();
      if (!entry) break;
      if (entry.state !== 'queued') continue;
      group.push(entry);
      bytes += entry.size;
    }
    const isStopped = this.refused !== undefined || this.options.signal?.aborted === true;
    if (!isStopped && group.length > 0) {
      try {
        await this.options.journal?.sending(group.map(({ index }) => index));
      } catch (error) {
        this.refused ??= unreadableFile(error, group[0]?.source.fileName ?? '');
      }
    }
    this.announced.push(...group);
  }

  private async upload(entry: Entry): Promise<void> {
    const { signal } = this.options;
    try {
      if (this.refused) throw this.refused;
      if (signal?.aborted) throw canceledError();
      const canceling = entry.begin(this.now());
      this.changed.fire();
      const upload = new FileUpload(
        this.fileDependencies,
        entry.source,
        entry.size,
        this.meterOf(entry),
        canceling,
        entry.takeReading(this.now()),
      );
      entry.uploaded = await upload.run();
      entry.state = 'done';
      this.ended(entry);
    } catch (error) {
      if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) this.refused ??= error;
      this.settle(entry, error);
    }
  }

  /** A meter that counts the bytes of one file, and adds them to the total. */
  private meterOf(entry: Entry): Pick<UploadMeter, 'sent' | 'resized'> {
    return {
      sent: (file, bytes) => {
        entry.send(bytes, this.now());
        this.meter?.sent(file, bytes);
        this.changed.fire();
      },
      resized: difference => {
        entry.size += difference;
        this.meter?.resized(difference);
      },
    };
  }

  /** Ends a file that failed or was canceled. */
  private settle(entry: Entry, error: unknown): void {
    entry.fail(error);
    this.ended(entry);
  }

  private ended(entry: Entry): void {
    entry.canceling = undefined;
    this.options.journal?.ended(entry.index, entry.storedState);
    this.meter?.done(entry.fileName, entry.size - entry.sent);
    this.changed.fire();
  }
}

/** A file that is read ahead. */
interface Reading {
  file: WholeFile | Promise<WholeFile | undefined>;
  /** When it was read; undefined while it is being read. */
  readAt: number | undefined;
}

/** A file in the queue. */
class Entry implements QueuedFile {
  state: FileState = 'queued';
  // Set in the constructor: if the first number were of another kind than later ones, the engine
  // would convert all entries one by one.
  size: number;
  sent = 0;
  bytesPerSecond?: number;
  error?: CodedError;
  // Not an optional member, because deleting a property makes an object slow.
  uploaded: UploadedFile | undefined;
  /** Cancels the file while it is sent. */
  canceling: Canceling | undefined;
  /** Set if the file is read ahead. */
  reading: Reading | undefined;
  private begunAt = Number.NaN;

  constructor(
    readonly source: FileSource,
    readonly index: number,
  ) {
    this.size = source.listedSize ?? 0;
  }

  get uri(): string {
    return this.source.uri;
  }

  get fileName(): string {
    return this.source.fileName;
  }

  /** The state for the journal: a file that failed without a response may be on the service. */
  get storedState(): FileState {
    return this.state === 'failed' && this.error?.details.sent ? 'sending' : this.state;
  }

  get isShort(): boolean {
    return this.state === 'queued' && this.size <= MAX_WHOLE_BYTES;
  }

  readAhead(now: () => number): void {
    if (this.reading) return;
    const file = this.source.whole();
    const reading: Reading = { file, readAt: undefined };
    file.then(
      whole => {
        reading.readAt = now();
        if (whole) reading.file = whole;
      },
      // `upload` reports the error.
      () => undefined,
    );
    this.reading = reading;
  }

  /** Takes the file that was read ahead, unless it is too old. */
  takeReading(now: number): Reading['file'] | undefined {
    const { reading } = this;
    this.reading = undefined;
    return now - (reading?.readAt ?? now) <= READ_AHEAD_MS ? reading?.file : undefined;
  }

  begin(now: number): Canceling {
    this.state = 'sending';
    this.begunAt = now;
    return (this.canceling = new Canceling());
  }

  send(bytes: number, now: number): void {
    this.sent += bytes;
    const seconds = (now - this.begunAt) / 1000;
    if (seconds >= 1) this.bytesPerSecond = this.sent / seconds;
  }

  /** Ends the file with an error whose subject is its name. */
  fail(cause: unknown): void {
    this.reading = undefined;
    const { code, message, details } = unreadableFile(cause, this.fileName);
    this.error = new CodedError(code, message, { ...details, subject: this.fileName }, { cause });
    this.state = code === 'cancelled' ? 'canceled' : 'failed';
  }

  restart(): void {
    this.state = 'queued';
    this.sent = 0;
    delete this.bytesPerSecond;
    delete this.error;
  }
}
