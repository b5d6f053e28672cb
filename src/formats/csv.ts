import { CsvCursor } from './csvCursor';
import { findDialect } from './csvDialect';
import { cellNumber, isMissing, type DecimalMark } from './csvNumber';

/** Columns beyond the header's that a row with too many cells may add; cells past them are counted, not shown. */
const EXTRA_COLUMNS = 64;
const FIRST_RAGGED = 20;
/** Rows scanned between two chances to stop. */
const ROWS_PER_STEP = 4096;

export interface CsvColumn {
  /** Header bytes, empty range for a column that the header does not have. */
  headerStart: number;
  headerEnd: number;
  headerQuoted: boolean;
  /** Every cell is a number or missing, and one at least is a number. */
  numeric: boolean;
  mark: DecimalMark;
}

/** Where the rows of a delimited text are and what its columns hold; refers to the bytes, copies none. */
export interface CsvLayout {
  delimiter: string;
  columns: CsvColumn[];
  rowCount: number;
  /** First byte of each data row; rowCount entries. */
  rowStarts: Uint32Array;
  raggedRows: { count: number; first: number[] };
}

/** What is known of one column while scanning. */
class ColumnKind {
  private dot = true;
  private comma: boolean;
  private seen = false;
  private usesComma = false;

  constructor(delimiter: string) {
    // With a comma between the cells a comma cannot be the decimal mark.
    this.comma = delimiter !== ',';
  }

  look(bytes: Uint8Array, start: number, end: number): void {
    if (!this.dot && !this.comma) return;
    if (this.dot && !Number.isNaN(cellNumber(bytes, start, end, '.'))) {
      this.seen = true;
      // "1.5" is no number where the mark is a comma; "15" is one under both.
      if (this.comma && Number.isNaN(cellNumber(bytes, start, end, ','))) this.comma = false;
      return;
    }
    if (isMissing(bytes, start, end)) return;
    this.dot = false;
    if (this.comma && !Number.isNaN(cellNumber(bytes, start, end, ','))) {
      this.seen = true;
      this.usesComma = true;
    } else this.comma = false;
  }

  get numeric(): boolean {
    return this.seen && (this.dot || (this.comma && this.usesComma));
  }

  get mark(): DecimalMark {
    return this.dot ? '.' : ',';
  }
}

/**
 * Scans a delimited text of at most 4 GB once. A generator: yields the bytes done every few thousand rows so that the
 * caller can pause or stop. Blank lines are skipped unless the table has one column. Throws `damaged-table`.
 */
export function* scanCsv(bytes: Uint8Array): Generator<number, CsvLayout> {
  const { delimiter, start } = findDialect(bytes);
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), start);
  const columns = readHeader(cursor);
  const headerCount = columns.length;
  const kinds = columns.map(() => new ColumnKind(delimiter));
  let rowStarts = new Uint32Array(1024);
  let rowCount = 0;
  const ragged = { count: 0, first: [] as number[] };
  let cells = 0;
  let rowStart = cursor.position;
  while (headerCount > 0 && cursor.next()) {
    if (cells < headerCount + EXTRA_COLUMNS) {
      let kind = kinds[cells];
      if (!kind) {
        kind = new ColumnKind(delimiter);
        kinds.push(kind);
        columns.push({ headerStart: 0, headerEnd: 0, headerQuoted: false, numeric: false, mark: '.' });
      }
      kind.look(bytes, cursor.cellStart, cursor.cellEnd);
    }
    cells++;
    if (!cursor.endsRow) continue;
    const blank = cells === 1 && cursor.cellStart === cursor.cellEnd && headerCount > 1;
    if (!blank) {
      if (rowCount === rowStarts.length) {
        const larger = new Uint32Array(rowStarts.length * 2);
        larger.set(rowStarts);
        rowStarts = larger;
      }
      rowStarts[rowCount] = rowStart;
      if (cells !== headerCount) {
        ragged.count++;
        if (ragged.first.length < FIRST_RAGGED) ragged.first.push(rowCount);
      }
      rowCount++;
    }
    cells = 0;
    rowStart = cursor.position;
    if (rowCount % ROWS_PER_STEP === 0) yield cursor.position;
  }
  kinds.forEach((kind, index) => {
    const column = columns[index];
    if (column) Object.assign(column, { numeric: kind.numeric, mark: kind.mark });
  });
  return { delimiter, columns, rowCount, rowStarts: rowStarts.slice(0, rowCount), raggedRows: ragged };
}

/** The header: the first line that is not blank. */
function readHeader(cursor: CsvCursor): CsvColumn[] {
  const columns: CsvColumn[] = [];
  while (cursor.next()) {
    columns.push({
      headerStart: cursor.cellStart,
      headerEnd: cursor.cellEnd,
      headerQuoted: cursor.quoted,
      numeric: false,
      mark: '.',
    });
    if (!cursor.endsRow) continue;
    const blank = columns.length === 1 && cursor.cellStart === cursor.cellEnd;
    if (!blank) break;
    columns.length = 0;
  }
  return columns;
}
