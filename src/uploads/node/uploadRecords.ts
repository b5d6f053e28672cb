import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { delay } from '../../base/waiting';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { type LineStore, parseKeyedLine } from '../../base/node/lineLog';
import type { ImageThread } from '../../images/backgroundImageInfo';
import { diskFacts } from './fileSources';

/** What is remembered of an uploaded file, so that its image can be found again on this machine. */
export interface UploadRecord {
  uri: string;
  fileName: string;
  destinationFolder?: string;
  size: number;
  /** Of the file as sent (FileFacts): a file that still has it is the uploaded one. */
  identity: string;
  /**
   * Hash of the bytes sent, hexadecimal. Absent until computed, some time after the upload;
   * `not-computed` if the file had changed by then or isn't on a disk.
   */
  sha256?: string;
  /** ISO 8601. */
  uploadedAt: string;
}

/** A record and the item that the file became. */
export interface RecordedUpload {
  itemId: string;
  record: UploadRecord;
}

/** In place of a hash that can't be computed any more. */
export const NOT_COMPUTED = 'not-computed';

/** Records are collected so long and then written together. Milliseconds. */
const COLLECT_MS = 200;

/** Lines that are parsed in one turn of the thread. */
const LINES_AT_ONCE = 2000;

interface UploadRecordsOptions {
  lines: LineStore;
  log: Log;
  /** For tests. */
  delay?: (milliseconds: number) => Promise<void>;
}

/**
 * What was uploaded from this machine, for an account; the newest 50,000 files or so. Records are
 * only ever appended, a fifth of a second's worth at a time: a crash loses those of the last fifth
 * of a second, a power failure no more.
 */
export class UploadRecords implements Disposable {
  /** Some 50,000 records: older ones go when there are more. */
  static readonly LIMITS = { fileBytes: 4 * 1024 * 1024, files: 4 };

  private readonly added = new Emitter<RecordedUpload>();
  private pending: string[] = [];
  private collecting: Promise<void> | undefined;
  private writing = Promise.resolve();
  private readonly lines: LineStore;
  private readonly log: Log;
  private readonly delay: (milliseconds: number) => Promise<void>;

  /** An upload was remembered. */
  readonly onDidAdd = this.added.event;

  constructor(options: UploadRecordsOptions) {
    this.lines = options.lines;
    this.log = options.log;
    this.delay = options.delay ?? delay;
  }

  /** Remembers an upload; written a moment later, or with `flush`. */
  add(itemId: string, record: UploadRecord): void {
    this.append(itemId, record);
    this.added.fire({ itemId, record });
  }

  /** Adds the hash to the record of an item. */
  addHash(itemId: string, sha256: string): void {
    this.append(itemId, { sha256 });
  }

  /** Writes what was added so far. A failure is logged, and tried again with what is added next. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** The record of the file behind an item; undefined if not uploaded here, or long ago. */
  async find(itemId: string): Promise<UploadRecord | undefined> {
    await this.flush();
    const start = Buffer.from(`\n[${JSON.stringify(itemId)},`);
    let newer: Partial<UploadRecord> = {};
    for await (const part of this.lines.parts()) {
      let at = part.lastIndexOf(start);
      while (at >= 0) {
        const end = part.indexOf('\n', at + 1);
        const entry = parseEntry(part.toString('utf8', at + 1, end < 0 ? part.byteLength : end));
        newer = { ...entry?.part, ...newer };
        if (isRecord(newer)) return newer;
        at = at > 0 ? part.lastIndexOf(start, at - 1) : -1;
      }
    }
    return undefined;
  }

  /** The records of those of these items that were uploaded from here. */
  async ofItems(itemIds: ReadonlySet<string>): Promise<Map<string, UploadRecord>> {
    const records = new Map<string, UploadRecord>();
    const newer = new Map<string, Partial<UploadRecord>>();
    for await (const entries of this.newestFirst()) {
      for (const { itemId, part } of entries) {
        if (!itemIds.has(itemId) || records.has(itemId)) continue;
        const record = { ...part, ...newer.get(itemId) };
        newer.set(itemId, record);
        if (isRecord(record)) records.set(itemId, record);
      }
      if (records.size === itemIds.size) break;
    }
    return records;
  }

  /** The latest upload of each of these files that was uploaded from here. */
  async ofFiles(uris: ReadonlySet<string>): Promise<Map<string, RecordedUpload>> {
    const uploads = new Map<string, RecordedUpload>();
    for await (const entries of this.newestFirst()) {
      for (const { itemId, part } of entries) {
        if (isRecord(part) && uris.has(part.uri) && !uploads.has(part.uri))
          uploads.set(part.uri, { itemId, record: part });
      }
      if (uploads.size === uris.size) break;
    }
    return uploads;
  }

  /** Writes what is left before it returns: the account is signed out, or the window closes. */
  dispose(): void {
    try {
      this.lines.appendNow(this.pending);
    } catch (error) {
      this.log.error('Uploads could not be recorded', error);
    }
    this.pending = [];
    this.lines.dispose();
    this.added.dispose();
  }

  private append(itemId: string, part: Partial<UploadRecord>): void {
    this.pending.push(JSON.stringify([itemId, part]));
    this.collecting ??= this.collect();
  }

  private async collect(): Promise<void> {
    await this.delay(COLLECT_MS);
    this.collecting = undefined;
    await this.flush();
  }

  /** All entries, the newest first, as many together as are parsed in one turn of the thread. */
  private async *newestFirst(): AsyncGenerator<Entry[], void, undefined> {
    await this.flush();
    for await (const part of this.lines.parts()) {
      for (let end = part.byteLength; end > 0;) {
        const entries: Entry[] = [];
        for (let lines = 0; end > 0 && lines < LINES_AT_ONCE; lines++) {
          const start = part.lastIndexOf('\n', end - 1);
          const entry = parseEntry(part.toString('utf8', start + 1, end));
          if (entry) entries.push(entry);
          end = start;
        }
        yield entries;
        await nextTurn();
      }
    }
  }

  private async write(): Promise<void> {
    const lines = this.pending;
    this.pending = [];
    try {
      await this.lines.append(lines);
    } catch (error) {
      // The files are uploaded all the same; only their images would have to be found by name.
      this.pending = [...lines, ...this.pending];
      this.log.error('Uploads could not be recorded', error);
    }
  }
}

/** A line of the log: a record, or what was added to it later. */
interface Entry {
  itemId: string;
  part: Partial<UploadRecord>;
}

/** Undefined for a damaged line. */
function parseEntry(line: string): Entry | undefined {
  const [itemId, part] = parseKeyedLine(line) ?? [];
  return itemId === undefined || part === undefined ? undefined : { itemId, part };
}

function isRecord(part: Partial<Record<keyof UploadRecord, unknown>>): part is UploadRecord {
  const { uri, fileName, size, identity, uploadedAt, destinationFolder, sha256 } = part;
  const texts = [uri, fileName, identity, uploadedAt];
  const optional = [destinationFolder, sha256].filter(value => value !== undefined);
  return [...texts, ...optional].every(text => typeof text === 'string') && typeof size === 'number';
}

/** How long nothing has been uploaded before files are hashed. Milliseconds. */
const IDLE_MS = 5000;

interface UploadHashesDependencies {
  records: Pick<UploadRecords, 'onDidAdd' | 'addHash'>;
  /** A thread to hash in; used for a while and disposed of. */
  startEngine: () => ImageThread | Promise<ImageThread>;
  log: Log;
  /** For tests. */
  delay?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Computes the hashes of uploaded files while nothing is uploaded, in a thread, and adds them to
 * their records. A closed window's files stay without a hash: their identity still shows whether a
 * file is the same.
 */
export class UploadHashes implements Disposable {
  private readonly store = new DisposableStore();
  private readonly waiting: RecordedUpload[] = [];
  private readonly delay: NonNullable<UploadHashesDependencies['delay']>;
  private holds = 0;
  private running: AbortController | undefined;

  constructor(private readonly dependencies: UploadHashesDependencies) {
    this.delay = dependencies.delay ?? delay;
    this.store.add(
      dependencies.records.onDidAdd(upload => {
        this.waiting.push(upload);
        this.start();
      }),
    );
  }

  /** Hashes nothing until what is returned is disposed of: files are being uploaded. */
  hold(): Disposable {
    this.holds += 1;
    this.running?.abort();
    return toDisposable(() => {
      this.holds -= 1;
      this.start();
    });
  }

  dispose(): void {
    this.store.dispose();
    this.running?.abort();
  }

  private start(): void {
    const mayRun = this.holds === 0 && !this.store.isDisposed;
    if (!mayRun || this.running || this.waiting.length === 0) return;
    const running = new AbortController();
    this.running = running;
    void this.run(running.signal).finally(() => {
      this.running = undefined;
      this.start();
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      await this.delay(IDLE_MS, signal);
      const engine = await this.dependencies.startEngine();
      try {
        for (let upload = this.waiting[0]; upload; upload = this.waiting[0]) {
          this.dependencies.records.addHash(upload.itemId, await hashOf(upload, engine, signal));
          this.waiting.shift();
        }
      } finally {
        engine.dispose();
      }
    } catch (error) {
      if (signal.aborted) return;
      this.dependencies.log.error('Uploaded files could not be hashed', error);
      this.waiting.length = 0;
    }
  }
}

/** An uploaded file's hash, if it is unchanged before and after reading. Throws `cancelled`. */
async function hashOf(
  { record: { uri, fileName, identity } }: RecordedUpload,
  { endpoint }: Pick<ImageThread, 'endpoint'>,
  signal: AbortSignal,
): Promise<string> {
  if (!uri.startsWith('file:')) return NOT_COMPUTED;
  try {
    const path = fileURLToPath(uri);
    const isUnchanged = async () => (await diskFacts(path, fileName)).identity === identity;
    if (!(await isUnchanged())) return NOT_COMPUTED;
    const { sha256 } = await endpoint.request('hashFile', { path }, signal);
    return (await isUnchanged()) ? sha256 : NOT_COMPUTED;
  } catch (error) {
    if (isCoded(error, 'not-a-file')) return NOT_COMPUTED;
    throw error;
  }
}
