import type { BlockList } from './blockList';
import type { ByteSearch } from './byteSearch';
import type { TableFile } from './tableFile';

const ABSENT = 1;
const PRESENT = 2;

/** Which rows may contain a text. */
export interface RowsHolding {
  /** False where no cell of a row contains it. May read and search a block of rows of the file, which takes milliseconds. */
  mayHold(row: number): boolean;
}

/** The rows of a table that may contain a text. The file is searched no further than rows are looked at. */
export class SearchedRows implements RowsHolding {
  /** For each row 0 until its block was searched. */
  private readonly found: Uint8Array;

  constructor(
    private readonly file: TableFile,
    private readonly blocks: BlockList,
    private readonly search: ByteSearch,
  ) {
    this.found = new Uint8Array(blocks.rowCount);
  }

  /** Bytes that it takes. */
  get memory(): number {
    return this.found.byteLength;
  }

  mayHold(row: number): boolean {
    if (this.found[row] === 0) this.searchBlockOf(row);
    return this.found[row] !== ABSENT;
  }

  private searchBlockOf(row: number): void {
    const block = this.blocks.blockOf(row);
    if (!block) return;
    const { scanned, firstRow, rows } = block;
    const holding = this.search.rowsOf(this.file, scanned);
    this.found.fill(ABSENT, firstRow, firstRow + rows);
    for (const each of holding) this.found[firstRow + each] = PRESENT;
  }
}
