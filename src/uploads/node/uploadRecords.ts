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

/** The record of an uploaded file, to find its image on this machine again. */
export interface UploadRecord {
  uri: string;
  fileName: string;
  destinationFolder?: string;
  size: number;
  /** Identity of the sent file (FileFacts). A file with the same identity is unchanged. */
  identity: string;
  /**
   * Hash of the sent bytes, hexadecimal. Absent until it is computed some time after the upload.
   * `not-computed` if the file had changed by then or isn't on a disk.
   */
  sha256?: string;
  /** ISO 8601. */
  uploadedAt: string;
}

/** A record, and the ID of the file's item on the service. */
export interface RecordedUpload {
  itemId: string;
  record: UploadRecord;
}

/** Stands for a hash that can't be computed. */
export const NOT_COMPUTED = 'not-computed';

/** Milliseconds for which records are collected before they are written. */
const COLLECT_MS = 200;

/** Number of lines to parse before other work may run. */
const LINES_AT_ONCE = 2000;

interface UploadRecordsOptions {
  lines: LineStore;
  log: Log;
  /** For tests. */
  delay?: (milliseconds: number) => Promise<void>;
}

/**
 * Records of an account's uploads from this machine, for about the newest 50,000 files. Records are
 * only appended, every fifth of a second. So a crash or power failure loses at most the records of
 * the last fifth of a second.
 */
export class UploadRecords implements Disposable {
  /** Room for about 50,000 records; the oldest are dropped first. */
  static readonly LIMITS = { fileBytes: 4 * 1024 * 1024, files: 4 };

  private readonly added = new Emitter<RecordedUpload>();
  private pending: string[] = [];
  private collecting: Promise<void> | undefined;
  private writing = Promise.resolve();
  private readonly lines: LineStore;
  private readonly log: Log;
  private readonly delay: (milliseconds: number) => Promise<void>;

  /** Fires when a record was added. */
  readonly onDidAdd = this.added.event;

  constructor(options: UploadRecordsOptions) {
    this.lines = options.lines;
    this.log = options.log;
    this.delay = options.delay ?? delay;
  }

  /** Adds a record; it is written a moment later, or by `flush`. */
  add(itemId: string, record: UploadRecord): void {
    this.append(itemId, record);
    this.added.fire({ itemId, record });
  }

  /** Adds the hash to the record of an item. */
  addHash(itemId: string, sha256: string): void {
    this.append(itemId, { sha256 });
  }

  /** Writes the records added so far. Logs a failure; the next write tries them again. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** The record of an item; undefined if the file wasn't uploaded here, or long ago. */
  async find(itemId: string): Promise<UploadRecord | undefined> {
    await this.flush();
    const start = Buffer.from(`\n[${JSON.stringify(itemId)},`);
    let newer: Partial<UploadRecord> = {};
    for await (const content of this.lines.fileContents()) {
      let lineStart = content.lastIndexOf(start);
      while (lineStart >= 0) {
        const end = content.indexOf('\n', lineStart + 1);
        const entry = parseEntry(content.toString('utf8', lineStart + 1, end < 0 ? content.byteLength : end));
        newer = { ...entry?.fields, ...newer };
        if (isRecord(newer)) return newer;
        lineStart = lineStart > 0 ? content.lastIndexOf(start, lineStart - 1) : -1;
      }
    }
    return undefined;
  }

  /** The records of items that were uploaded from here, by item ID. */
  async ofItems(itemIds: ReadonlySet<string>): Promise<Map<string, UploadRecord>> {
    const records = new Map<string, UploadRecord>();
    const newer = new Map<string, Partial<UploadRecord>>();
    for await (const entries of this.newestFirst()) {
      for (const { itemId, fields } of entries) {
        if (!itemIds.has(itemId) || records.has(itemId)) continue;
        const record = { ...fields, ...newer.get(itemId) };
        newer.set(itemId, record);
        if (isRecord(record)) records.set(itemId, record);
      }
      if (records.size === itemIds.size) break;
    }
    return records;
  }

  /** The latest uploads of files, by URI. */
  async ofFiles(uris: ReadonlySet<string>): Promise<Map<string, RecordedUpload>> {
    const uploads = new Map<string, RecordedUpload>();
    for await (const entries of this.newestFirst()) {
      for (const { itemId, fields } of entries) {
        if (isRecord(fields) && uris.has(fields.uri) && !uploads.has(fields.uri))
          uploads.set(fields.uri, { itemId, record: fields });
      }
      if (uploads.size === uris.size) break;
    }
    return uploads;
  }

  /** Writes remaining records synchronously, because the account signs out or the window closes. */
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

  private append(itemId: string, fields: Partial<UploadRecord>): void {
    this.pending.push(JSON.stringify([itemId, fields]));
    this.collecting ??= this.collect();
  }

  private async collect(): Promise<void> {
    await this.delay(COLLECT_MS);
    this.collecting = undefined;
    await this.flush();
  }

  /** All entries, the newest first, in groups; other work may run between groups. */
  private async *newestFirst(): AsyncGenerator<Entry[], void, undefined> {
    await this.flush();
    for await (const content of this.lines.fileContents()) {
      for (let end = content.byteLength; end > 0;) {
        const entries: Entry[] = [];
        for (let lines = 0; end > 0 && lines < LINES_AT_ONCE; lines++) {
          const start = content.lastIndexOf('\n', end - 1);
          const entry = parseEntry(content.toString('utf8', start + 1, end));
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
      // Only the search for images on this machine needs the records; write them next time.
      this.pending = [...lines, ...this.pending];
      this.log.error('Uploads could not be recorded', error);
    }
  }
}

/** A line of the log: a record, or a later addition to it. */
interface Entry {
  itemId: string;
  fields: Partial<UploadRecord>;
}

/** Parses a line; undefined if it is damaged. */
function parseEntry(line: string): Entry | undefined {
  const [itemId, fields] = parseKeyedLine(line) ?? [];
  return itemId === undefined || fields === undefined ? undefined : { itemId, fields };
}

function isRecord(fields: Partial<Record<keyof UploadRecord, unknown>>): fields is UploadRecord {
  const { uri, fileName, size, identity, uploadedAt, destinationFolder, sha256 } = fields;
  const texts = [uri, fileName, identity, uploadedAt];
  const optional = [destinationFolder, sha256].filter(value => value !== undefined);
  return [...texts, ...optional].every(text => typeof text === 'string') && typeof size === 'number';
}

/** Milliseconds without uploads before files are hashed. */
const IDLE_MS = 5000;

interface UploadHashesDependencies {
  records: Pick<UploadRecords, 'onDidAdd' | 'addHash'>;
  /** Starts a thread to hash in; it is disposed after use. */
  startEngine: () => ImageThread | Promise<ImageThread>;
  log: Log;
  /** For tests. */
  delay?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Computes hashes of uploaded files in a thread, while nothing is uploaded, and adds them to the
 * records. Files of a closed window stay without a hash; their identity still tells whether a file
 * is unchanged.
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

  /** Pauses hashing during an upload, until the returned handle is disposed. */
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

/**
 * The hash of an uploaded file, if it didn't change before or while reading. Throws `cancelled`.
 */
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
