import { Pacer } from '../../../base/node/slices';
import type { Block } from './block';

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

  /** Drops the columns; where the rows begin stays. */
  dropColumns(): void {
    this.blocks = this.blocks.map(block => block.withoutColumns());
    this.bytes = this.blocks.reduce((sum, { memory }) => sum + memory, 0);
  }

  /** Whether any block fulfills a condition. */
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

  /** What each block has stored of a column; undefined when one of them has not. */
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

  /** Reads something of each block there is now. Throws `cancelled`, and what `read` throws. */
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
