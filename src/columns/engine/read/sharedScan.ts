import type { ScannedBlock, ScanPlan } from '../../csv/csvScan';
import type { FileRange, RangeScan } from './rangeScan';
import type { ScanWorker, ScannedRange } from './scanWorker';
import type { Table } from './table';

/** Ranges requested from the worker at a time: it must not wait while this thread is busy. */
const MAX_REQUESTED = 2;
/** Scanned ranges that may wait for the ones before them. */
const MAX_AHEAD = 8;

interface FoundRange extends ScannedRange {
  /** Where the range's bytes end. */
  until: number;
}

/**
 * Two threads read one file: it is cut into ranges, and each thread takes the next range as soon as it is free. A range begins
 * at a guess, the first line end after its first byte, since whether a quote is open there is known only once everything before
 * it has been read. Blocks come out in the file's order; a range whose guess proves wrong is scanned again from the right byte.
 */
export class SharedScan {
  /** Scanned ranges that wait for their turn, by first byte. */
  private readonly found = new Map<number, FoundRange>();
  private next = 0;
  private requested = 0;
  private isWorkerLost = false;
  private notify: () => void = () => undefined;

  /** `pause` is called between blocks that are scanned ahead; what it throws ends the scan. */
  constructor(
    private readonly table: Table,
    private readonly scan: RangeScan,
    private readonly worker: ScanWorker,
    private readonly rangeBytes: number,
    private readonly planOf: () => ScanPlan,
    private readonly pause: () => Promise<void>,
  ) {}

  /** The blocks of all rows from byte `from` on, where a row begins. Throws `damaged-table`, `file-changed`. */
  async *blocks(from: number): AsyncGenerator<ScannedBlock, void> {
    const { size } = this.table.file;
    this.next = from;
    // Where the next row begins, and the first byte of the next range to yield.
    let row = from;
    let position = from;
    while (position < size) {
      this.requestRanges();
      const ready = this.found.get(position);
      if (ready) {
        this.found.delete(position);
        position = ready.until;
        if (ready.end >= 0 && ready.start === row) {
          yield* ready.blocks;
          row = ready.end;
        } else if (row < position) {
          // The guess where a row begins was wrong (a quote was open there), or the worker failed.
          row = yield* this.exactly(row, position);
        }
        continue;
      }
      const range = this.found.size < MAX_AHEAD ? this.nextRange() : undefined;
      if (!range) await new Promise<void>(resolve => (this.notify = resolve));
      else if (range.start > position) await this.scanAhead(range);
      else {
        position = range.until;
        if (row < position) row = yield* this.exactly(row, position);
      }
    }
  }

  private *exactly(start: number, until: number): Generator<ScannedBlock, number> {
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
    this.found.set(range.start, { ...step.value, blocks, until: range.until });
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
    while (!this.isWorkerLost && this.requested < MAX_REQUESTED && this.found.size < MAX_AHEAD) {
      const range = this.nextRange();
      if (!range) return;
      this.requested++;
      const { start, until } = range;
      void this.scanInWorker(range).then(scanned => {
        this.requested--;
        this.found.set(start, { ...scanned, until });
        this.requestRanges();
        this.notify();
      });
    }
  }

  /** A failed worker only costs time: this thread scans its ranges, and finds what is wrong with the file itself. */
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
