import { CodedError, isCoded, throwIfCancelled } from '../../base/errors';
import { readHead, type CsvHead } from '../../formats/csvHead';
import { NUMBER, SKIP, TEXT, type ScanPlan, type ScannedBlock } from '../../formats/csvScan';
import { Pacer } from '../slices';
import { RangeScan, type FileRange } from './rangeScan';
import type { ScanHelper } from './scanHelper';
import { Table } from './table';
import { TableFile } from './tableFile';
import { CellDecoder } from './tableSource';
import { unquoteInto } from '../../formats/csvDictionary';

const HEAD = 256 * 1024;
const LONGEST_HEAD = 256 * 1024 * 1024;
/** What one thread scans at once when two share a file. */
const RANGE = 8 * 1024 * 1024;
/** Ranges that a file has at least where a second thread is worth its start. */
const HELPED_RANGES = 4;
const BUFFER = 2 * 1024 * 1024;
const DEFAULT_BUDGET = 1024 * 1024 * 1024;

export interface ReadOptions {
  delimiter?: string;
  decimalComma?: boolean;
  /** Bytes that columns may take. */
  budget?: number;
  /** Starts a second thread for large files. */
  startHelper?: () => ScanHelper;
  /** Bytes that each of two threads takes at once; 8 MB when absent. */
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

function readHeadOf(file: TableFile, options: ReadOptions): { head: CsvHead; bytes: Uint8Array } {
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
    const scan = new RangeScan(table.file, table.dictionaries, Math.min(BUFFER, this.rangeBytes));
    if (table.columns.length > 0) {
      const helped =
        this.startHelper && table.file.isShared && table.file.size >= HELPED_RANGES * this.rangeBytes;
      // The first rows alone: they are shown at once, and tell how long rows are.
      const firstEnd = helped ? this.expected + Math.ceil(this.rangeBytes / 8) : table.file.size;
      await this.scanOwn(scan, { start: this.expected, until: firstEnd, exact: true }, tell);
      if (helped && this.startHelper) await this.scanShared(scan, this.startHelper, tell, signal);
    }
    table.file.check();
    table.complete();
    onRows?.(table.file.size, true);
  }

  private async scanOwn(scan: RangeScan, range: FileRange, tell: () => Promise<void>): Promise<void> {
    const steps = scan.blocks(range, () => this.plan);
    for (;;) {
      const step = steps.next();
      if (step.done) {
        this.expected = step.value.end;
        return;
      }
      this.accept(step.value);
      this.expected = step.value.end;
      await tell();
    }
  }

  /** Two threads take ranges in turn; what they find is taken in the file's order. */
  private async scanShared(
    scan: RangeScan,
    startHelper: () => ScanHelper,
    tell: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { table } = this;
    const { size } = table.file;
    const helper = startHelper();
    try {
      let next = this.expected;
      const waiting = new Map<number, { blocks: ScannedBlock[]; start: number; end: number; from: number }>();
      const take = (): FileRange | undefined => {
        if (next >= size) return undefined;
        const range = {
          start: next,
          until: Math.min(size, next + this.rangeBytes),
          exact: next === this.expected,
        };
        next = range.until;
        return range;
      };
      let helperRange: FileRange | undefined;
      let helperFailed = false;
      let answer: Promise<void> | undefined;
      const ask = () => {
        helperRange = take();
        const range = helperRange;
        answer =
          range &&
          helper.scan(table.file, range, this.plan, table.dictionaries, signal).then(
            found => void waiting.set(range.start, { ...found, from: range.until }),
            (error: unknown) => {
              // What is wrong with the file is wrong for everybody; a thread that broke is only a loss of time.
              if (isCoded(error)) throw error;
              helperFailed = true;
            },
          );
        // Heard of where it is awaited.
        answer?.catch(() => undefined);
      };
      let position = next;
      ask();
      while (position < size) {
        throwIfCancelled(signal);
        if (helperRange && waiting.has(helperRange.start)) ask();
        const found = waiting.get(position);
        if (found) {
          waiting.delete(position);
          if (found.end >= 0 && (found.start === this.expected || found.start >= found.from)) {
            if (found.start === this.expected) {
              for (const block of found.blocks) this.accept(block);
              this.expected = found.end;
            }
          }
          if (this.expected < found.from)
            // The guess where a row begins was wrong: a quote was open there.
            await this.scanOwn(scan, { start: this.expected, until: found.from, exact: true }, tell);
          position = found.from;
          await tell();
          continue;
        }
        if (helperRange?.start === position || waiting.size > 3) {
          await answer;
          if (!helperFailed || helperRange?.start !== position) continue;
          position = helperRange.until;
          helperRange = undefined;
          if (this.expected < position)
            await this.scanOwn(scan, { start: this.expected, until: position, exact: true }, tell);
          continue;
        }
        const own = take();
        if (!own) {
          await answer;
          continue;
        }
        if (own.start === position) {
          await this.scanOwn(scan, { start: this.expected, until: own.until, exact: true }, tell);
          position = own.until;
        } else {
          const blocks: ScannedBlock[] = [];
          const steps = scan.blocks({ ...own, exact: false }, () => this.plan);
          let step = steps.next();
          for (; !step.done; step = steps.next()) {
            blocks.push(step.value);
            await tell();
          }
          waiting.set(own.start, { blocks, ...step.value, from: own.until });
        }
      }
    } finally {
      helper.dispose();
    }
  }

  private accept(block: ScannedBlock): void {
    const { table } = this;
    this.changed = table.accept(block) || this.changed;
    this.learn(block);
    if (this.decided || block.rows === 0) return;
    this.decided = true;
    const columnBytes = this.columnBytes(block);
    if (columnBytes > this.budget) {
      table.reduce(Math.round(columnBytes));
      // Numbers are still looked at, to know what kind a column is.
      this.plan = { ...this.plan, modes: this.plan.modes.map(mode => (mode === TEXT ? SKIP : mode)) };
    }
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
