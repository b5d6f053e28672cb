import { CodedError, isCoded, throwIfCancelled } from '../../base/errors';
import { readHead, type CsvHead } from '../../formats/csvHead';
import { NUMBER, SKIP, TEXT } from '../../formats/csvCells';
import type { ScanPlan, ScannedBlock } from '../../formats/csvScan';
import { Pacer } from '../slices';
import { RangeScan } from './rangeScan';
import type { ScanHelper } from './scanHelper';
import { SharedScan } from './sharedScan';
import { Table } from './table';
import { TableFile } from './tableFile';
import { CellDecoder } from './tableSource';
import { unquoteInto } from '../../formats/csvDictionary';

const HEAD = 256 * 1024;
const LONGEST_HEAD = 256 * 1024 * 1024;
/** What one thread scans at once when two share a file. */
const RANGE = 4 * 1024 * 1024;
/** Ranges that a file has at least where a second thread is worth its start. */
const HELPED_RANGES = 8;
const BUFFER = 2 * 1024 * 1024;
const DEFAULT_BUDGET = 1024 * 1024 * 1024;

export interface ReadOptions {
  delimiter?: string;
  decimalComma?: boolean;
  /** Bytes that columns may take. */
  budget?: number;
  /** Starts a second thread for large files. */
  startHelper?: () => ScanHelper;
  /** Bytes that each of two threads takes at once; 4 MB when absent. */
  rangeBytes?: number;
}

/** A table whose rows are arriving. */
export interface TableReading {
  table: Table;
  /** Reads all rows; `onRows` hears of those that came. Rejects with `damaged-table`, `file-changed`, `cancelled`. */
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
  throwIfCancelled(signal);
  const file = await TableFile.open(path, signal);
  try {
    const { head, bytes } = readHeadOf(file, options);
    const decoder = new CellDecoder();
    const names = head.header.map(({ start, end, quoted }) => {
      if (!quoted) return decoder.decode(bytes.subarray(start, end));
      const inside = new Uint8Array(end - start);
      return decoder.decode(inside.subarray(0, unquoteInto(inside, bytes, start, end)));
    });
    const budget = options.budget ?? DEFAULT_BUDGET;
    const { delimiter, decimalComma, modes } = head;
    const table = new Table({ file, names, delimiter, decimalComma, modes, budget });
    const run = new Reading(table, head, budget, options.startHelper, options.rangeBytes ?? RANGE);
    return { table, finish: (until, onRows) => run.finish(until, onRows) };
  } catch (error) {
    file.close();
    throw isCoded(error, 'damaged-table') ? named(error, path) : error;
  }
}

function readHeadOf(file: TableFile, read: ReadOptions): { head: CsvHead; bytes: Uint8Array } {
  const options = { ...read, likelyDelimiter: /\.tsv$/i.test(file.path) ? '\t' : ',' };
  for (let length = HEAD; ; length *= 8) {
    const bytes = new Uint8Array(Math.min(length, file.size));
    file.read(bytes, 0, bytes.length);
    if (isBinary(bytes)) throw notText();
    const head = readHead(bytes, bytes.length === file.size || length > LONGEST_HEAD, options);
    if (head) return { head, bytes };
  }
}

/** The one run that reads a table's rows. */
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
    private readonly startHelper: (() => ScanHelper) | undefined,
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
    throwIfCancelled(signal);
    let first = true;
    const tell = async () => {
      // The first rows are shown at once.
      if (!first && !pacer.isDue) return;
      first = false;
      onRows?.(this.expected, this.changed);
      this.changed = false;
      await pacer.pause();
    };
    if (table.columns.length > 0) {
      const scan = new RangeScan(table.file, table.dictionaries, Math.min(BUFFER, this.rangeBytes));
      const isLarge = table.file.isShared && table.file.size >= HELPED_RANGES * this.rangeBytes;
      const helper = isLarge ? this.startHelper?.() : undefined;
      try {
        // The first rows alone: they are shown at once, and tell how long rows are, while the helper starts.
        const firstEnd = helper ? this.expected + Math.ceil(this.rangeBytes / 8) : table.file.size;
        for (const block of scan.blocks(
          { start: this.expected, until: firstEnd, exact: true },
          this.planOf,
        )) {
          this.accept(block);
          await tell();
        }
        if (helper) {
          const pause = () => pacer.pause();
          const shared = new SharedScan(table, scan, helper, this.rangeBytes, this.planOf, pause);
          for await (const block of shared.blocks(this.expected)) {
            this.accept(block);
            await tell();
          }
        }
      } finally {
        helper?.dispose();
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
    // The first rows foretell what all will take; where the others turn out to be of another kind, what they do take counts.
    const foretold = this.decided ? 0 : this.columnBytes(block);
    this.decided = true;
    if (foretold > this.budget) this.reduce(foretold);
    else if (table.memory > this.budget) this.reduce((table.memory * table.file.size) / block.end);
  }

  /** From here on columns are not held. */
  private reduce(columnBytes: number): void {
    this.table.reduce(Math.round(columnBytes));
    this.changed = true;
    // Numbers are still looked at, to know what kind a column is.
    this.plan = { ...this.plan, modes: this.plan.modes.map(mode => (mode === TEXT ? SKIP : mode)) };
  }

  /** Columns proved to be text, or too rich in texts, are read otherwise from here on. */
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

  /** What the columns of the whole file will take, judged by its first rows. */
  private columnBytes(block: ScannedBlock): number {
    const perRow = this.plan.modes.reduce((sum, mode) => sum + (mode === NUMBER ? 8 : 4), 4);
    return (this.table.file.size / (block.end - block.start)) * block.rows * perRow;
  }
}

/** Whether the beginning of a file looks like anything but text. */
function isBinary(bytes: Uint8Array): boolean {
  const looked = bytes.subarray(0, 4096);
  const controls = looked.reduce(
    (sum, byte) => sum + (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d ? 1 : 0),
    0,
  );
  return controls > 0.3 * looked.length;
}

function notText(): CodedError {
  return new CodedError('damaged-table', 'The file is not text', { reason: 'The file is not a text file.' });
}

function named(error: CodedError, path: string): CodedError {
  return new CodedError(error.code, error.message, { ...error.details, subject: path }, { cause: error });
}
