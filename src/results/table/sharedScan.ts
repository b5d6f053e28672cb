import type { ScannedBlock, ScanPlan } from '../../formats/csvScan';
import type { FileRange, RangeScan } from './rangeScan';
import type { ScanHelper, ScannedRange } from './scanHelper';
import type { Table } from './table';

/** Ranges that the other thread has at a time: it must not wait while this one is busy. */
const ASKED_AT_ONCE = 2;
/** Ranges that wait at most for the ones before them. */
const MOST_AHEAD = 8;

interface FoundRange extends ScannedRange {
  /** Where the range's bytes end. */
  until: number;
}

/** Two threads scan the ranges of one file, each the next one as soon as it is free; blocks come in the file's order. */
export class SharedScan {
  /** What is known of ranges that wait for their turn, by where they begin. */
  private readonly found = new Map<number, FoundRange>();
  private next = 0;
  private asked = 0;
  private isHelperLost = false;
  private heard: () => void = () => undefined;

  /** `pause` is called between blocks that are not yielded yet; what it throws ends the scan. */
  constructor(
    private readonly table: Table,
    private readonly scan: RangeScan,
    private readonly helper: ScanHelper,
    private readonly rangeBytes: number,
    private readonly planOf: () => ScanPlan,
    private readonly pause: () => Promise<void>,
  ) {}

  /** The blocks of all rows from byte `from` on, where a row begins. Throws `damaged-table`, `file-changed`. */
  async *blocks(from: number): AsyncGenerator<ScannedBlock, void> {
    const { size } = this.table.file;
    this.next = from;
    /** Where the next row begins, and the first byte of no range that has been yielded. */
    let row = from;
    let position = from;
    while (position < size) {
      this.ask();
      const ready = this.found.get(position);
      if (ready) {
        this.found.delete(position);
        position = ready.until;
        if (ready.end >= 0 && ready.start === row) {
          yield* ready.blocks;
          row = ready.end;
        } else if (row < position) {
          // The guess where a row begins was wrong (a quote was open there), or the other thread broke.
          row = yield* this.exactly(row, position);
        }
        continue;
      }
      const range = this.found.size < MOST_AHEAD ? this.take() : undefined;
      if (!range) await new Promise<void>(resolve => (this.heard = resolve));
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

  private take(): FileRange | undefined {
    const start = this.next;
    const { size } = this.table.file;
    if (start >= size) return undefined;
    this.next = Math.min(size, start + this.rangeBytes);
    return { start, until: this.next, exact: false };
  }

  /** Keeps the other thread busy. */
  private ask(): void {
    while (!this.isHelperLost && this.asked < ASKED_AT_ONCE && this.found.size < MOST_AHEAD) {
      const range = this.take();
      if (!range) return;
      this.asked++;
      const { start, until } = range;
      void this.answerOf(range).then(answer => {
        this.asked--;
        this.found.set(start, { ...answer, until });
        this.ask();
        this.heard();
      });
    }
  }

  /** A thread that broke is only a loss of time, and what is wrong with the file this thread will meet itself. */
  private async answerOf(range: FileRange): Promise<ScannedRange> {
    const { file, dictionaries } = this.table;
    try {
      return await this.helper.scan(file, range, this.planOf(), dictionaries);
    } catch {
      this.isHelperLost = true;
      return { blocks: [], start: range.start, end: -1 };
    }
  }
}
