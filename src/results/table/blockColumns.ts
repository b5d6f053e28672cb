import { MISSING_CODES, MISSING_HIGH, NUMBER, TEXT, TEXT_CODE } from '../../formats/csvCells';
import type { ScannedBlock } from '../../formats/csvScan';
import { ABSENT_CODE, NO_ROOM, type CsvDictionary } from '../../formats/csvDictionary';
import { cellNumber, missingKind } from '../../formats/csvNumber';
import type { TableFile } from './tableFile';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A scanned block in its place in the table. */
export class Block {
  private readonly places: Int32Array;

  constructor(
    readonly scanned: ScannedBlock,
    readonly firstRow: number,
  ) {
    const { modes, rows } = scanned;
    this.places = new Int32Array(modes.length);
    let numbers = 0;
    let texts = 0;
    for (let column = 0; column < modes.length; column++) {
      if (modes[column] === NUMBER) this.places[column] = rows * numbers++;
      else if (modes[column] === TEXT) this.places[column] = rows * texts++;
    }
  }

  get rows(): number {
    return this.scanned.rows;
  }

  /** The column's numbers, if it was read as numbers. */
  numbers(column: number): Float64Array | undefined {
    const { modes, numbers, rows } = this.scanned;
    if (modes[column] !== NUMBER) return undefined;
    const place = this.places[column] ?? 0;
    return numbers.subarray(place, place + rows);
  }

  /** The column's codes, if it was read as text and the dictionary had room. */
  codes(column: number): Uint32Array | undefined {
    const { modes, codes, rows, full } = this.scanned;
    if (modes[column] !== TEXT || full.includes(column)) return undefined;
    const place = this.places[column] ?? 0;
    return codes.subarray(place, place + rows);
  }
}

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

  /** Undefined when the dictionary has no room for the texts. */
  codes(block: Block, column: number, dictionary: CsvDictionary): Uint32Array | undefined {
    const codes = new Uint32Array(block.rows);
    let full = false;
    this.eachCell(block, column, (row, bytes, start, end, offset) => {
      const code =
        start < 0
          ? ABSENT_CODE
          : dictionary.add(bytes, start, end, bytes[start] === QUOTE && end > start, offset);
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
    if (this.buffer.length < length + 1) this.buffer = new Uint8Array(length + 1);
    const bytes = this.buffer;
    this.file.read(bytes, start, length);
    bytes[length] = LINE_FEED;
    for (let row = 0; row < rowStarts.length; row++) {
      let at = rowStarts[row] ?? 0;
      for (let skipped = 0; skipped < column; skipped++) {
        at = cellEnd(bytes, at, length, this.delimiter);
        if (bytes[at] !== this.delimiter || at >= length) {
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

/** The end of the cell that begins at `at`; bytes[end] holds a line break. */
export function cellEnd(bytes: Uint8Array, at: number, end: number, delimiter: number): number {
  if (bytes[at] === QUOTE && at < end) {
    at++;
    for (;;) {
      at = bytes.indexOf(QUOTE, at);
      if (at < 0 || at >= end) return end;
      at++;
      if (bytes[at] !== QUOTE || at >= end) break;
      at++;
    }
  }
  let byte = bytes[at] ?? LINE_FEED;
  while (byte !== delimiter && byte !== LINE_FEED && byte !== CARRIAGE_RETURN)
    byte = bytes[++at] ?? LINE_FEED;
  return at;
}
