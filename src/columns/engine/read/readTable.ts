import { CodedError, isCoded, throwIfCanceled } from '../../../base/errors';
import { reason, type Reason } from '../../../base/reasons';
import { Ascii } from '../../../base/ascii';
import { delimiterOfName } from '../../csv/csvDialect';
import { cellContent } from '../../csv/csvGrammar';
import { readHead, type CsvHead } from '../../csv/csvHead';
import { NUMBER, SKIP, TEXT } from '../../csv/csvCells';
import type { ScanPlan, ScannedBlock } from '../../csv/csvScan';
import { Pacer } from '../../../base/node/slices';
import { RangeScan } from './rangeScan';
import type { ScanWorker } from './scanWorker';
import { SharedScan } from './sharedScan';
import { Table } from './table';
import { TableFile } from './tableFile';
import { CellDecoder } from './tableSource';

const HEAD = 256 * 1024;
const MAX_HEAD_BYTES = 256 * 1024 * 1024;
/** Bytes that a thread scans at a time when two share a file. */
const RANGE = 4 * 1024 * 1024;
/** A file of fewer ranges is not worth starting a second thread. */
const MIN_SHARED_RANGES = 8;
const BUFFER = 2 * 1024 * 1024;

export interface ReadOptions {
  delimiter?: string;
  decimalComma?: boolean;
  /** Bytes that columns may take; unlimited when absent. */
  budget?: number;
  /** Starts a worker that shares the reading of large files. */
  startScanWorker?: () => ScanWorker;
  /** Bytes that each of two threads scans at a time; 4 MB when absent. */
  rangeBytes?: number;
}

/** A table whose rows are arriving. */
export interface TableReading {
  table: Table;
  /** Reads all rows; `onRows` is called after each block. Rejects with `damaged-table`, `file-changed`, `cancelled`. */
  finish(signal?: AbortSignal, onRows?: (bytesDone: number, changed: boolean) => void): Promise<void>;
}

/** Opens a delimited text file and reads it to its end, see startTable. Progress is in bytes. */
export async function openTable(
  path: string,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
  options: ReadOptions = {},
): Promise<Table> {
  const reading = await startTable(path, options, signal);
  const { table } = reading;
  try {
    await reading.finish(signal, done => onProgress?.(done, table.file.size));
  } catch (error) {
    table.dispose();
    throw error;
  }
  return table;
}

/**
 * Opens a delimited text file: UTF-8 (cells that are not: Windows-1252), or UTF-16 with a byte order mark; reads its header,
 * no rows yet. Throws `damaged-table`, `not-a-file`, `cancelled`.
 */
export async function startTable(
  path: string,
  options: ReadOptions,
  signal?: AbortSignal,
): Promise<TableReading> {
  throwIfCanceled(signal);
  const file = await TableFile.open(path, signal);
  try {
    const { head, bytes } = readHeadOf(file, options);
    const decoder = new CellDecoder();
    const names = head.header.map(({ start, end }) => decoder.decode(cellContent(bytes, start, end)));
    const { budget = Infinity } = options;
    const { delimiter, decimalComma, modes } = head;
    const table = new Table({ file, names, delimiter, decimalComma, modes, budget });
    const run = new Reading(table, head, budget, options.startScanWorker, options.rangeBytes ?? RANGE);
    return { table, finish: (until, onRows) => run.finish(until, onRows) };
  } catch (error) {
    file.close();
    throw isCoded(error, 'damaged-table') ? withSubject(error, path) : error;
  }
}

function readHeadOf(file: TableFile, read: ReadOptions): { head: CsvHead; bytes: Uint8Array } {
  const options = { ...read, likelyDelimiter: delimiterOfName(file.path) ?? ',' };
  for (let length = HEAD; ; length *= 8) {
    const bytes = new Uint8Array(Math.min(length, file.size));
    file.read(bytes, 0, bytes.length);
    checkText(bytes);
    const head = readHead(bytes, bytes.length === file.size || length > MAX_HEAD_BYTES, options);
    if (head) return { head, bytes };
  }
}

/** Reads a table's rows, once. */
class Reading {
  private expected: number;
  private changed = false;
  private decided = false;
  private plan: ScanPlan;
  private readonly planOf = () => this.plan;

  constructor(
    private readonly table: Table,
    head: CsvHead,
    private readonly budget: number,
    private readonly startScanWorker: (() => ScanWorker) | undefined,
    private readonly rangeBytes: number,
  ) {
    this.expected = head.dataStart;
    this.plan = {
      delimiter: head.delimiter.charCodeAt(0),
      decimalComma: head.decimalComma,
      modes: head.modes.slice(),
    };
  }

  async finish(signal?: AbortSignal, onRows?: (bytesDone: number, changed: boolean) => void): Promise<void> {
    const { table } = this;
    const pacer = new Pacer(signal);
    throwIfCanceled(signal);
    // After each block: when scanning ahead pauses as well, a pause that is due rarely falls here.
    const report = async () => {
      onRows?.(this.expected, this.changed);
      this.changed = false;
      if (pacer.isDue) await pacer.pause();
    };
    if (table.columns.length > 0) {
      const scan = new RangeScan(table.file, table.dictionaries, Math.min(BUFFER, this.rangeBytes));
      const isLarge = table.file.isShared && table.file.size >= MIN_SHARED_RANGES * this.rangeBytes;
      const worker = isLarge ? this.startScanWorker?.() : undefined;
      try {
        // The first rows alone: they are shown at once, and show how long rows are, while the worker starts.
        const firstEnd = worker ? this.expected + Math.ceil(this.rangeBytes / 8) : table.file.size;
        for (const block of scan.blocks(
          { start: this.expected, until: firstEnd, exact: true },
          this.planOf,
        )) {
          this.accept(block);
          await report();
        }
        if (worker) {
          const pause = () => pacer.pause();
          const shared = new SharedScan(table, scan, worker, this.rangeBytes, this.planOf, pause);
          for await (const block of shared.blocks(this.expected)) {
            this.accept(block);
            await report();
          }
        }
      } finally {
        worker?.dispose();
      }
    }
    table.file.check();
    table.complete();
    onRows?.(table.file.size, true);
  }

  private accept(block: ScannedBlock): void {
    const { table } = this;
    this.changed = table.accept(block) || this.changed;
    this.expected = block.end;
    this.learn(block);
    if (table.isReduced || block.rows === 0) return;
    // The first rows give an estimate for all; where later rows are of another kind, what they really take counts.
    const estimate = this.decided ? 0 : this.columnBytes(block);
    this.decided = true;
    if (estimate > this.budget) this.reduce(estimate);
    else if (table.memory > this.budget) this.reduce((table.memory * table.file.size) / block.end);
  }

  /** Stops storing columns. */
  private reduce(columnBytes: number): void {
    this.table.reduce(Math.round(columnBytes));
    this.changed = true;
    // Numbers are still parsed, to learn each column's kind.
    this.plan = { ...this.plan, modes: this.plan.modes.map(mode => (mode === TEXT ? SKIP : mode)) };
  }

  /** Changes how columns are read that proved to be text, or whose dictionary is full. */
  private learn(block: ScannedBlock): void {
    const { modes } = this.plan;
    const broken = block.broken.filter(column => modes[column] === NUMBER);
    const full = block.full.filter(column => modes[column] === TEXT);
    if (broken.length + full.length === 0) return;
    const learned = modes.slice();
    for (const column of broken) learned[column] = this.table.isReduced ? SKIP : TEXT;
    for (const column of full) learned[column] = SKIP;
    this.plan = { ...this.plan, modes: learned };
  }

  /** Bytes that the columns of the whole file will take, estimated from its first rows. */
  private columnBytes(block: ScannedBlock): number {
    const perRow = this.plan.modes.reduce((sum, mode) => sum + (mode === NUMBER ? 8 : 4), 4);
    return (this.table.file.size / (block.end - block.start)) * block.rows * perRow;
  }
}

/** How compressed files begin. Their bytes may look like text in few rows and columns. */
const COMPRESSED: readonly { format: string; start: readonly number[] }[] = [
  { format: 'gzip', start: [0x1f, 0x8b] },
  { format: 'Zstandard', start: [0x28, 0xb5, 0x2f, 0xfd] },
  // "BZh", the size of its blocks, and the first digits of pi.
  { format: 'bzip2', start: [0x42, 0x5a, 0x68, NaN, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] },
  { format: 'xz', start: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
  { format: 'LZ4', start: [0x04, 0x22, 0x4d, 0x18] },
  { format: '7z', start: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
];
/** Archives and spreadsheets. */
const ZIP = [0x50, 0x4b, 3, 4];

/** Throws `damaged-table` with the reason where a file that begins with these bytes is no text. */
function checkText(bytes: Uint8Array): void {
  const startsWith = (start: readonly number[]) =>
    start.every((byte, at) => Number.isNaN(byte) || bytes[at] === byte);
  const compressed = COMPRESSED.find(({ start }) => startsWith(start));
  if (compressed) throw notText(reason('compressed-file', compressed.format));
  if (startsWith(ZIP)) throw notText(reason('zip-file'));
  if (isBinary(bytes)) throw notText(reason('not-a-text-file'));
}

/** Whether a file is not text, judging by the share of control characters at its beginning. */
function isBinary(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, 4096);
  const controls = beginning.reduce(
    (sum, byte) =>
      sum +
      (byte < Ascii.Space && byte !== Ascii.Tab && byte !== Ascii.LineFeed && byte !== Ascii.CarriageReturn
        ? 1
        : 0),
    0,
  );
  return controls > 0.3 * beginning.length;
}

function notText(why: Reason): CodedError {
  return new CodedError('damaged-table', 'The file is not text', { reason: why });
}

function withSubject(error: CodedError, path: string): CodedError {
  return new CodedError(error.code, error.message, { ...error.details, subject: path }, { cause: error });
}
