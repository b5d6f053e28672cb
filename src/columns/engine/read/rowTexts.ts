// Typed columns sort and filter; what is shown is always the file's own text. Each block knows where its rows begin, so their
// bytes are read again when they are shown, those that follow each other at once.

import { cellContent, cellEnd } from '../../csv/csvGrammar';
import type { BlockList } from './blockList';
import type { TableFile } from './tableFile';
import type { CellDecoder, CellTexts } from './tableSource';

/** Rows, and bytes of them, that are read together where they follow each other. */
const MAX_ROWS_AT_ONCE = 512;
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;

/** Reads the exact texts of rows from a table's file. All methods throw `file-changed` when the file was changed. */
export class RowTexts {
  constructor(
    private readonly file: TableFile,
    private readonly delimiter: number,
    private readonly decoder: CellDecoder,
    private readonly blocks: BlockList,
  ) {}

  /** Texts of rows × columns, each cut to `limit` bytes. */
  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const texts: CellTexts = { rows: [], cut: [], ragged: [] };
    const last = columns.reduce((most, column) => Math.max(most, column), -1);
    const places = new Int32Array(last + 1).fill(-1);
    columns.forEach((column, at) => (places[column] = at));
    // Rows are found by position: in a file that was rewritten they would be others.
    this.file.check();
    let bytes: Uint8Array = new Uint8Array(0);
    let bytesStart = 0;
    let bytesEnd = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const block = this.blocks.blockOf(row);
      const cells = new Array<string>(columns.length).fill('');
      texts.rows.push(cells);
      if (!block) continue;
      if (block.isRagged(row)) texts.ragged.push(at);
      const [start, end] = block.rangeOf(row);
      if (start < bytesStart || end > bytesEnd) {
        bytesStart = start;
        bytesEnd = this.endTogether(rows, at, start, end);
        bytes = new Uint8Array(bytesEnd - bytesStart);
        this.file.read(bytes, bytesStart, bytesEnd - bytesStart);
      }
      const rowEnd = end - bytesStart;
      let from = start - bytesStart;
      for (let column = 0; column <= last; column++) {
        const to = cellEnd(bytes, from, rowEnd, this.delimiter);
        const place = places[column] as number;
        if (place >= 0) {
          cells[place] = this.decoder.decode(cellContent(bytes, from, cutEnd(bytes, from, to, limit)));
          if (to - from > limit) texts.cut.push([at, place]);
        }
        if (to >= rowEnd || bytes[to] !== this.delimiter) break;
        from = to + 1;
      }
    }
    return texts;
  }

  /** The whole text of the cell whose bytes begin at an offset of the file. */
  cellAt(offset: number, length: number): string {
    this.file.check();
    const bytes = new Uint8Array(length);
    this.file.read(bytes, offset, length);
    return this.decoder.decode(cellContent(bytes, 0, length));
  }

  /** Where the rows end that are read together with the one at a place, whose bytes are [start, end). */
  private endTogether(rows: ArrayLike<number>, at: number, start: number, end: number): number {
    let together = end;
    for (let ahead = at + 1; ahead < rows.length && ahead - at < MAX_ROWS_AT_ONCE; ahead++) {
      const row = rows[ahead] ?? 0;
      const block = this.blocks.blockOf(row);
      if (!block || row !== (rows[ahead - 1] ?? 0) + 1) break;
      const [, next] = block.rangeOf(row);
      if (next - start > MAX_BYTES_AT_ONCE) break;
      together = next;
    }
    return together;
  }
}

/** The end of at most `limit` bytes of a cell, between two characters: half of one would not be UTF-8. */
function cutEnd(bytes: Uint8Array, from: number, to: number, limit: number): number {
  if (to - from <= limit) return to;
  let end = from + limit;
  while (end > from && end > from + limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
