import { MISSING_CODES, MISSING_HIGH, TEXT_CODE } from '../../csv/csvCells';
import { ABSENT_CODE, NO_ROOM, type CsvDictionary } from '../../csv/csvDictionary';
import { cellEnd, isQuoted } from '../../csv/csvGrammar';
import { cellNumber, missingKind } from '../../csv/csvNumber';
import { integerRests } from '../../csv/integerRests';
import { Ascii } from '../../../base/ascii';
import type { Block } from './block';
import type { TableFile } from './tableFile';

/** Reads one column of blocks from the file again. */
export class ColumnReader {
  private buffer = new Uint8Array(0);

  constructor(
    private readonly file: TableFile,
    private readonly delimiter: number,
    private readonly decimalComma: boolean,
  ) {}

  numbers(block: Block, column: number): Float64Array {
    const values = new Float64Array(block.rows);
    const words = new Uint32Array(values.buffer);
    const mark = this.decimalComma ? ',' : '.';
    this.eachCell(block, column, (row, bytes, start, end) => {
      const value = start < 0 ? NaN : cellNumber(bytes, start, end, mark);
      if (value === value) {
        values[row] = value;
        return;
      }
      const missing = start < 0 ? 'absent' : missingKind(bytes, start, end);
      words[2 * row] = missing === undefined ? TEXT_CODE : MISSING_CODES[missing];
      words[2 * row + 1] = MISSING_HIGH;
    });
    return values;
  }

  /** What the numbers lack of the integers in the cells, see roundedIntegers: the first rest of each row, the second, and so on. */
  rests(block: Block, column: number): Float64Array[] {
    const rests: Float64Array[] = [];
    const mark = this.decimalComma ? ',' : '.';
    const markByte = this.decimalComma ? Ascii.Comma : Ascii.Dot;
    this.eachCell(block, column, (row, bytes, start, end) => {
      const value = start < 0 ? NaN : cellNumber(bytes, start, end, mark);
      const found = integerRests(bytes, start, end, markByte, value);
      for (let at = 0; at < found.length; at++)
        (rests[at] ??= new Float64Array(block.rows))[row] = found[at] as number;
    });
    return rests;
  }

  /** Undefined when the dictionary has no room for the texts. */
  codes(block: Block, column: number, dictionary: CsvDictionary): Uint32Array | undefined {
    const codes = new Uint32Array(block.rows);
    let full = false;
    this.eachCell(block, column, (row, bytes, start, end, offset) => {
      const code =
        start < 0 ? ABSENT_CODE : dictionary.add(bytes, start, end, isQuoted(bytes, start, end), offset);
      codes[row] = code;
      if (code === NO_ROOM) full = true;
    });
    return full ? undefined : codes;
  }

  /** Visits the cell of each row; start −1 where the row has none. */
  private eachCell(
    block: Block,
    column: number,
    visit: (row: number, bytes: Uint8Array, start: number, end: number, offset: number) => void,
  ): void {
    const { start, end, rowStarts } = block.scanned;
    const length = end - start;
    if (this.buffer.length < length) this.buffer = new Uint8Array(length);
    const bytes = this.buffer;
    this.file.read(bytes, start, length);
    for (let row = 0; row < rowStarts.length; row++) {
      let at = rowStarts[row] as number;
      for (let skipped = 0; skipped < column; skipped++) {
        at = cellEnd(bytes, at, length, this.delimiter);
        if (at >= length || bytes[at] !== this.delimiter) {
          at = -1;
          break;
        }
        at++;
      }
      if (at < 0) visit(row, bytes, -1, -1, 0);
      else visit(row, bytes, at, cellEnd(bytes, at, length, this.delimiter), start + at);
    }
  }
}
