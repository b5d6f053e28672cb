import { Pacer } from '../../../base/node/slices';
import { NUMBER, type ScannedBlock, SKIP, TEXT } from '../../csv/csvScan';
import { indexInSorted } from '../sortedNumbers';

/** A column in parts: `values[k]` holds the rows from `firstRows[k]` on. */
interface InParts<T> {
  values: T[];
  firstRows: number[];
}

/** The blocks of a table, in the order of its rows. */
export class BlockList {
  private blocks: Block[] = [];
  private rows = 0;
  private bytes = 0;

  get rowCount(): number {
    return this.rows;
  }

  /** Bytes of memory that the blocks take. */
  get memory(): number {
    return this.bytes;
  }

  /** Appends a block that begins at row `rowCount`. */
  add(block: Block): void {
    this.blocks.push(block);
    this.rows += block.rows;
    this.bytes += block.memory;
  }

  /** Drops the columns, and keeps the positions of rows in the file. */
  dropColumns(): void {
    this.blocks = this.blocks.map(block => block.withoutColumns());
    this.bytes = this.blocks.reduce((sum, { memory }) => sum + memory, 0);
  }

  /** Whether a condition holds for any block. */
  some(condition: (block: Block) => boolean): boolean {
    return this.blocks.some(condition);
  }

  /** The block of a row; undefined for a row that does not exist. */
  blockOf(row: number): Block | undefined {
    if (row < 0 || row >= this.rows) return undefined;
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.blocks[middle]?.firstRow ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return this.blocks[low];
  }

  /** The stored values of a column from all blocks; undefined if a block hasn't stored them. */
  stored<T>(valuesOf: (block: Block) => T | undefined): InParts<T> | undefined {
    const parts: InParts<T> = { values: [], firstRows: [] };
    for (const block of this.blocks) {
      const values = valuesOf(block);
      if (values === undefined) return undefined;
      parts.values.push(values);
      parts.firstRows.push(block.firstRow);
    }
    return parts;
  }

  /**
   * Reads values from each current block, with pauses. Throws `cancelled`, and what `read` throws.
   */
  async read<T>(read: (block: Block) => T, signal: AbortSignal): Promise<InParts<T>> {
    const pacer = new Pacer(signal);
    const parts: InParts<T> = { values: [], firstRows: [] };
    for (const block of [...this.blocks]) {
      await pacer.pause();
      parts.values.push(read(block));
      parts.firstRows.push(block.firstRow);
    }
    return parts;
  }
}

/** A scanned block in its place in the table. */
export class Block {
  private readonly columnStarts: Int32Array;

  constructor(
    readonly scanned: ScannedBlock,
    readonly firstRow: number,
  ) {
    const { modes, rows } = scanned;
    this.columnStarts = new Int32Array(modes.length);
    let numbers = 0;
    let texts = 0;
    for (let column = 0; column < modes.length; column++) {
      if (modes[column] === NUMBER) this.columnStarts[column] = rows * numbers++;
      else if (modes[column] === TEXT) this.columnStarts[column] = rows * texts++;
    }
  }

  get rows(): number {
    return this.scanned.rows;
  }

  /** The column's numbers, if it was read as numbers. */
  numbers(column: number): Float64Array | undefined {
    const { modes, numbers, rows } = this.scanned;
    if (modes[column] !== NUMBER) return undefined;
    const start = this.columnStarts[column] ?? 0;
    return numbers.subarray(start, start + rows);
  }

  /** The column's codes, if it was read as text and the dictionary had room. */
  codes(column: number): Uint32Array | undefined {
    const { modes, codes, rows, full } = this.scanned;
    if (modes[column] !== TEXT || full.includes(column)) return undefined;
    const start = this.columnStarts[column] ?? 0;
    return codes.subarray(start, start + rows);
  }

  /** Bytes of memory that its columns and row starts take. */
  get memory(): number {
    const { numbers, codes, rowStarts } = this.scanned;
    return numbers.byteLength + codes.byteLength + rowStarts.byteLength;
  }

  /** The range of a row's bytes in the file, with the line break. */
  rangeOf(row: number): [start: number, end: number] {
    const { start, end, rowStarts } = this.scanned;
    const inBlock = row - this.firstRow;
    const next = rowStarts[inBlock + 1];
    return [start + (rowStarts[inBlock] ?? 0), next === undefined ? end : start + next];
  }

  /** Whether the column has an integer in this block that its double rounds. */
  isRounded(column: number): boolean {
    return this.scanned.rounded.includes(column);
  }

  /** Whether a row has fewer or more cells than the header. */
  isRagged(row: number): boolean {
    return indexInSorted(this.scanned.ragged, row - this.firstRow) >= 0;
  }

  /** The block with row starts only. */
  withoutColumns(): Block {
    const { scanned, firstRow } = this;
    const modes = new Uint8Array(scanned.modes.length).fill(SKIP);
    const numbers = new Float64Array(0);
    const codes = new Uint32Array(0);
    return new Block({ ...scanned, modes, numbers, codes, full: [] }, firstRow);
  }
}
