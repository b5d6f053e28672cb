import { Ascii } from '../../../base/ascii';
import { CodedError, isCoded, throwIfCanceled } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import { reason, type Reason } from '../../../base/reasons';
import { cellContent } from '../../csv/csvGrammar';
import { columnNames, type CsvHead, delimiterOfName, readHead } from '../../csv/csvHead';
import type { HeaderRows } from '../../tableSummary';
import { NUMBER, type ScannedBlock, type ScanPlan, SKIP, TEXT } from '../../csv/csvScan';
import type { ScannedRange, ScanWorker } from '../scanThread';
import { type FileRange, RangeScan } from './rangeScan';
import { Table } from './table';
import { TableFile } from './tableFile';
import { CellDecoder } from './tableSource';

const HEAD_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 256 * 1024 * 1024;
/** Bytes that a thread scans at a time when two share a file. */
const RANGE_BYTES = 4 * 1024 * 1024;
/** Minimum number of ranges that make starting a second thread worthwhile. */
const MIN_SHARED_RANGES = 8;
const BUFFER_BYTES = 2 * 1024 * 1024;

export interface ReadOptions {
  delimiter?: string;
  decimalComma?: boolean;
  header?: HeaderRows;
  /** Bytes that columns may take; by default unlimited. */
  budget?: number;
  /** Starts a worker that shares the reading of large files. */
  startScanWorker?: () => ScanWorker;
  /** Bytes that each of two threads scans at a time; by default 4 MB. */
  rangeBytes?: number;
}

/** A table whose rows are arriving. */
interface TableReading {
  table: Table;
  /**
   * Reads all rows; calls `onRows` after blocks. Throws `damaged-table`, `file-changed`,
   * `cancelled`.
   */
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
 * Opens delimited text: UTF-8 (invalid cells as Windows-1252), or UTF-16 with a byte order mark;
 * reads its header, no rows. Throws `damaged-table`, `not-a-file`, `cancelled`.
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
    const names = columnNames(head, ({ start, end }) => decoder.decode(cellContent(bytes, start, end)));
    const { budget = Infinity } = options;
    const { delimiter, decimalComma, modes, headerRows } = head;
    const table = new Table({ file, names, delimiter, decimalComma, headerRows, modes, budget });
    const reading = new Reading(
      table,
      head,
      budget,
      options.startScanWorker,
      options.rangeBytes ?? RANGE_BYTES,
    );
    return { table, finish: (stopSignal, onRows) => reading.finish(stopSignal, onRows) };
  } catch (error) {
    file.close();
    throw isCoded(error, 'damaged-table') ? withSubject(error, path) : error;
  }
}

/** The first bytes of a file: as many as its header needs, `maxBytes` at most. */
export function readHeadOf(
  file: Pick<TableFile, 'path' | 'size' | 'read'>,
  read: ReadOptions,
  maxBytes = MAX_HEAD_BYTES,
): { head: CsvHead; bytes: Uint8Array } {
  const options = { ...read, likelyDelimiter: delimiterOfName(file.path) ?? ',' };
  for (let length = HEAD_BYTES; ; length *= 8) {
    const bytes = new Uint8Array(Math.min(length, file.size, maxBytes));
    file.read(bytes, 0, bytes.length);
    checkText(bytes);
    const head = readHead(bytes, bytes.length === file.size || bytes.length >= maxBytes, options);
    if (head) return { head, bytes };
  }
}

/** Reads a table's rows, once. */
class Reading {
  private nextByte: number;
  private changed = false;
  private hasEstimated = false;
  private plan: ScanPlan;
  private readonly planOf = () => this.plan;

  constructor(
    private readonly table: Table,
    head: CsvHead,
    private readonly budget: number,
    private readonly startScanWorker: (() => ScanWorker) | undefined,
    private readonly rangeBytes: number,
  ) {
    this.nextByte = head.dataStart;
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
    // Reports even if no pause is due: scanning ahead pauses as well, so one is rarely due here.
    const report = async () => {
      onRows?.(this.nextByte, this.changed);
      this.changed = false;
      if (pacer.isDue) await pacer.pause();
    };
    if (table.columns.length > 0) {
      const scan = new RangeScan(
        table.file,
        table.dictionaries,
        // Allocates no more memory than a small table needs.
        Math.min(BUFFER_BYTES, this.rangeBytes, table.file.size),
      );
      const isLarge = table.file.isShared && table.file.size >= MIN_SHARED_RANGES * this.rangeBytes;
      const worker = isLarge ? this.startScanWorker?.() : undefined;
      try {
        // A small range first, while the worker starts: its rows are shown at once, and show how
        // long rows are.
        const firstEnd = worker ? this.nextByte + Math.ceil(this.rangeBytes / 8) : table.file.size;
        for (const block of scan.blocks(
          { start: this.nextByte, until: firstEnd, exact: true },
          this.planOf,
        )) {
          this.accept(block);
          await report();
        }
        if (worker) {
          const pause = () => pacer.pause();
          const shared = new SharedScan(table, scan, worker, this.rangeBytes, this.planOf, pause);
          for await (const block of shared.blocks(this.nextByte)) {
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
    this.nextByte = block.end;
    this.adaptPlan(block);
    if (table.isReduced || block.rows === 0) return;
    // Estimated from the first rows. If later rows differ, the memory that is really taken counts.
    const estimate = this.hasEstimated ? 0 : this.columnBytes(block);
    this.hasEstimated = true;
    if (estimate > this.budget) this.reduce(estimate);
    else if (table.memory > this.budget) this.reduce((table.memory * table.file.size) / block.end);
  }

  /** Stops storing columns. */
  private reduce(columnBytes: number): void {
    this.table.reduce(Math.round(columnBytes));
    this.changed = true;
    // Still parses numbers, to find each column's kind.
    this.plan = { ...this.plan, modes: this.plan.modes.map(mode => (mode === TEXT ? SKIP : mode)) };
  }

  /** Changes the plan for columns that proved to be text, or whose dictionary is full. */
  private adaptPlan(block: ScannedBlock): void {
    const { modes } = this.plan;
    const broken = block.broken.filter(column => modes[column] === NUMBER);
    const full = block.full.filter(column => modes[column] === TEXT);
    if (broken.length + full.length === 0) return;
    const newModes = modes.slice();
    for (const column of broken) newModes[column] = this.table.isReduced ? SKIP : TEXT;
    for (const column of full) newModes[column] = SKIP;
    this.plan = { ...this.plan, modes: newModes };
  }

  /** Bytes that all columns of the whole file will take, estimated from the first rows. */
  private columnBytes(block: ScannedBlock): number {
    const perRow = this.plan.modes.reduce((sum, mode) => sum + (mode === NUMBER ? 8 : 4), 4);
    return (this.table.file.size / (block.end - block.start)) * block.rows * perRow;
  }
}

/** The first bytes of compressed files, which could otherwise be taken for text. */
const COMPRESSED: readonly { format: string; start: readonly number[] }[] = [
  { format: 'gzip', start: [0x1f, 0x8b] },
  { format: 'Zstandard', start: [0x28, 0xb5, 0x2f, 0xfd] },
  // "BZh", the size of its blocks, and the first digits of pi.
  { format: 'bzip2', start: [0x42, 0x5a, 0x68, NaN, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] },
  { format: 'xz', start: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
  { format: 'LZ4', start: [0x04, 0x22, 0x4d, 0x18] },
  { format: '7z', start: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
];
/** The first bytes of archives and spreadsheets. */
const ZIP = [0x50, 0x4b, 3, 4];

/** Throws `damaged-table` with the reason if a file that begins with these bytes isn't text. */
function checkText(bytes: Uint8Array): void {
  const startsWith = (start: readonly number[]) =>
    start.every((byte, index) => Number.isNaN(byte) || bytes[index] === byte);
  const compressed = COMPRESSED.find(({ start }) => startsWith(start));
  if (compressed)
    throw notText(reason('The file is compressed ({0}). Decompress it first', compressed.format));
  if (startsWith(ZIP))
    throw notText(reason('The file is a Zip archive or a spreadsheet. Save its table as CSV first'));
  if (isBinary(bytes)) throw notText(reason("The file isn't a text file"));
}

/** Whether a file isn't text, judging by the share of control characters at its beginning. */
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

/** Number of ranges to request in advance: the worker mustn't wait while this thread is busy. */
const MAX_REQUESTED = 2;
/** Maximum number of scanned ranges that wait for earlier ones. */
const MAX_AHEAD = 8;

interface WaitingRange extends ScannedRange {
  /** Where the range's bytes end. */
  until: number;
}

/**
 * Two threads read one file, which is cut into ranges. Each thread takes the next range as soon as
 * it is free. A range begins after the first line break in it. That is a guess, since only reading
 * everything before shows whether a quote is open there. Blocks come out in the file's order. A
 * range whose guess proves wrong is scanned again from the right byte.
 */
class SharedScan {
  /** By first byte, scanned ranges that wait for earlier ones. */
  private readonly scannedRanges = new Map<number, WaitingRange>();
  private next = 0;
  private requested = 0;
  private isWorkerLost = false;
  private notify: () => void = () => undefined;

  /** Calls `pause` between blocks that are scanned ahead; an error that it throws ends the scan. */
  constructor(
    private readonly table: Table,
    private readonly scan: RangeScan,
    private readonly worker: ScanWorker,
    private readonly rangeBytes: number,
    private readonly planOf: () => ScanPlan,
    private readonly pause: () => Promise<void>,
  ) {}

  /** Blocks from byte `from`, where a row begins. Throws `damaged-table`, `file-changed`. */
  async *blocks(from: number): AsyncGenerator<ScannedBlock, void> {
    const { size } = this.table.file;
    this.next = from;
    // Where the next row begins, and the first byte of the next range to yield.
    let row = from;
    let position = from;
    while (position < size) {
      this.requestRanges();
      const ready = this.scannedRanges.get(position);
      if (ready) {
        this.scannedRanges.delete(position);
        position = ready.until;
        if (ready.end >= 0 && ready.start === row) {
          yield* ready.blocks;
          row = ready.end;
        } else if (row < position) {
          // The guessed beginning was wrong (a quote was open there), or the worker failed.
          row = yield* this.scanExactly(row, position);
        }
        continue;
      }
      const range = this.scannedRanges.size < MAX_AHEAD ? this.nextRange() : undefined;
      if (!range) await new Promise<void>(resolve => (this.notify = resolve));
      else if (range.start > position) await this.scanAhead(range);
      else {
        position = range.until;
        if (row < position) row = yield* this.scanExactly(row, position);
      }
    }
  }

  private *scanExactly(start: number, until: number): Generator<ScannedBlock, number> {
    return (yield* this.scan.blocks({ start, until, exact: true }, this.planOf)).end;
  }

  private async scanAhead(range: FileRange): Promise<void> {
    const blocks: ScannedBlock[] = [];
    const steps = this.scan.blocks(range, this.planOf);
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      blocks.push(step.value);
      await this.pause();
    }
    this.scannedRanges.set(range.start, { ...step.value, blocks, until: range.until });
  }

  private nextRange(): FileRange | undefined {
    const start = this.next;
    const { size } = this.table.file;
    if (start >= size) return undefined;
    this.next = Math.min(size, start + this.rangeBytes);
    return { start, until: this.next, exact: false };
  }

  /** Keeps the worker busy. */
  private requestRanges(): void {
    while (!this.isWorkerLost && this.requested < MAX_REQUESTED && this.scannedRanges.size < MAX_AHEAD) {
      const range = this.nextRange();
      if (!range) return;
      this.requested++;
      const { start, until } = range;
      void this.scanInWorker(range).then(scanned => {
        this.requested--;
        this.scannedRanges.set(start, { ...scanned, until });
        this.requestRanges();
        this.notify();
      });
    }
  }

  /** A failed worker only costs time: this thread scans its ranges and finds any faults itself. */
  private async scanInWorker(range: FileRange): Promise<ScannedRange> {
    const { file, dictionaries } = this.table;
    try {
      return await this.worker.scan(file, range, this.planOf(), dictionaries);
    } catch {
      this.isWorkerLost = true;
      return { blocks: [], start: range.start, end: -1 };
    }
  }
}
