import { CsvCursor, cellText } from '../../formats/csvCursor';
import type { CsvLayout } from '../../formats/csv';
import { cellNumber } from '../../formats/csvNumber';
import { SharedValues } from '../sharedWork';
import { Pacer } from '../slices';

export interface Column {
  index: number;
  name: string;
  kind: 'number' | 'text';
}

/** A column of text: for each row an index into `values`. */
export interface TextColumn {
  codes: Uint32Array;
  /** Distinct cells in the order they first appear. */
  values: string[];
}

/**
 * A table as its file has it: the file's bytes and where its rows start. Cells are decoded when they are shown; typed
 * columns are made on first use and kept (8 bytes a row for numbers).
 */
export class Table {
  readonly columns: readonly Column[];
  private readonly decode: (bytes: Uint8Array) => string;
  private readonly numbers = new SharedValues<number, Float64Array>();
  private readonly texts = new SharedValues<number, TextColumn>();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly layout: CsvLayout,
    encoding: 'utf-8' | 'windows-1252',
  ) {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    this.decode = cell => decoder.decode(cell);
    this.columns = layout.columns.map(({ headerStart, headerEnd, headerQuoted, numeric }, index) => ({
      index,
      name: cellText(bytes, headerStart, headerEnd, headerQuoted, this.decode),
      kind: numeric ? 'number' : 'text',
    }));
  }

  get rowCount(): number {
    return this.layout.rowCount;
  }

  get delimiter(): string {
    return this.layout.delimiter;
  }

  get raggedRows(): { count: number; first: number[] } {
    return this.layout.raggedRows;
  }

  /** The exact text of a row's cells, one per column; cells that the row does not have are empty. */
  rowText(row: number): string[] {
    const cells: string[] = new Array<string>(this.columns.length).fill('');
    const rowStart = this.layout.rowStarts[row];
    if (rowStart === undefined) return cells;
    const cursor = this.cursor(rowStart);
    for (let column = 0; column < cells.length && cursor.next(); column++) {
      cells[column] = cellText(this.bytes, cursor.cellStart, cursor.cellEnd, cursor.quoted, this.decode);
      if (cursor.endsRow) break;
    }
    return cells;
  }

  /** A column's cells as numbers; NaN where a cell is missing or no number. */
  numberColumn(column: number, signal?: AbortSignal): Promise<Float64Array> {
    return this.numbers.get(column, shared => this.readNumbers(column, shared), signal);
  }

  /** A column's cells as text, equal cells sharing one string. */
  textColumn(column: number, signal?: AbortSignal): Promise<TextColumn> {
    return this.texts.get(column, shared => this.readTexts(column, shared), signal);
  }

  private async readNumbers(column: number, signal: AbortSignal): Promise<Float64Array> {
    const values = new Float64Array(this.rowCount).fill(NaN);
    const mark = this.layout.columns[column]?.mark ?? '.';
    await this.eachCell(
      column,
      (row, start, end) => {
        values[row] = cellNumber(this.bytes, start, end, mark);
      },
      signal,
    );
    return values;
  }

  private async readTexts(column: number, signal: AbortSignal): Promise<TextColumn> {
    const codes = new Uint32Array(this.rowCount);
    const values: string[] = [];
    const known = new Map<string, number>();
    const codeOf = (text: string) => {
      let code = known.get(text);
      if (code === undefined) {
        code = values.push(text) - 1;
        known.set(text, code);
      }
      return code;
    };
    let lastStart = 0;
    let lastEnd = 0;
    let lastCode = -1;
    let nextRow = 0;
    await this.eachCell(
      column,
      (row, start, end, quoted) => {
        // Rows without the cell come between the rows that have it.
        while (nextRow < row) codes[nextRow++] = codeOf('');
        // Rows of one image follow each other: most cells repeat the one above.
        if (lastCode < 0 || !this.sameBytes(lastStart, lastEnd, start, end))
          lastCode = codeOf(cellText(this.bytes, start, end, quoted, this.decode));
        lastStart = start;
        lastEnd = end;
        codes[nextRow++] = lastCode;
      },
      signal,
    );
    while (nextRow < codes.length) codes[nextRow++] = codeOf('');
    return { codes, values };
  }

  private async eachCell(
    column: number,
    visit: (row: number, start: number, end: number, quoted: boolean) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const pacer = new Pacer(signal);
    const cursor = this.cursor(0);
    const { rowStarts } = this.layout;
    for (let row = 0; row < rowStarts.length; row++) {
      if (row % 1024 === 0 && pacer.isDue) await pacer.pause();
      cursor.moveTo(rowStarts[row] ?? 0);
      for (let at = 0; cursor.next(); at++) {
        if (at === column) visit(row, cursor.cellStart, cursor.cellEnd, cursor.quoted);
        if (at === column || cursor.endsRow) break;
      }
    }
  }

  private cursor(start: number): CsvCursor {
    return new CsvCursor(this.bytes, this.layout.delimiter.charCodeAt(0), start);
  }

  private sameBytes(startA: number, endA: number, startB: number, endB: number): boolean {
    if (endA - startA !== endB - startB) return false;
    for (let a = startA, b = startB; a < endA; a++, b++) if (this.bytes[a] !== this.bytes[b]) return false;
    return true;
  }
}
