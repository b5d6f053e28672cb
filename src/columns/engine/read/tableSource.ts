import type { KeptValues } from '../keptValues';
import type { CsvDictionary } from '../../csv/csvDictionary';
import type { RowsHolding } from './rowsHolding';

export interface Column {
  index: number;
  name: string;
  kind: 'number' | 'text';
  /** Set for a column of numbers with an integer that its double is not, see TableSource.rests. */
  isRounded?: true;
}

/** A column of numbers in parts: `values[k]` holds the rows from `firstRows[k]` on. NaN is missing, its low word says how. */
export interface NumberColumn {
  values: Float64Array[];
  firstRows: number[];
}

/** A column of text likewise: a code for each row; `texts` has the text of each code. */
export interface CodeColumn {
  values: Uint32Array[];
  firstRows: number[];
  texts: ColumnTexts;
}

/** Codes below this one are cells without text: absent (0) and empty (1). */
export const FIRST_TEXT = 2;

/** The different texts of a column by their codes. */
export interface ColumnTexts {
  readonly size: number;
  /** The text of a code; '' for absent (0) and empty (1). */
  text(code: number): string;
}

/** The exact texts of some cells. */
export interface CellTexts {
  rows: string[][];
  /** Cells that were cut: position in rows, position in the row. */
  cut: [row: number, cell: number][];
  /** Positions in rows of those with fewer or more cells than the header. */
  ragged: number[];
}

/** A table to compute with: one file, or several joined. All of it may be used while rows are still being read. */
export interface TableSource {
  readonly columns: readonly Column[];
  /** Rows read so far. */
  readonly rowCount: number;
  /** The table's own files, which must not be overwritten. */
  readonly paths: readonly string[];
  readonly delimiter: string;
  /** Whether a file begins with a byte order mark. */
  readonly hasByteOrderMark: boolean;
  /** What requests computed and later ones may need. */
  readonly kept: KeptValues;
  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn>;
  /**
   * What a column's numbers lack of the integers in its cells: the first rest of each row, the second, and so on; none where the
   * numbers are exact. Rows in the order of number, first rest, second rest… are in the order of the integers.
   */
  rests(column: number, signal?: AbortSignal): Promise<NumberColumn[]>;
  codes(column: number, signal?: AbortSignal): Promise<CodeColumn>;
  /** Texts of rows × columns, each cut to `limit` bytes of the file. */
  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts;
  /** The rows that may contain a text. */
  rowsHolding(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<RowsHolding>;
}

/** Decodes bytes of a table: UTF-8, and cells that are no UTF-8 as Windows-1252, so that every byte shows. */
export class CellDecoder {
  private readonly strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private readonly western = new TextDecoder('windows-1252');

  decode(bytes: Uint8Array): string {
    if (bytes.length <= 24) {
      const plain = plainText(bytes);
      if (plain !== undefined) return plain;
    }
    try {
      return this.strict.decode(bytes);
    } catch {
      // Not UTF-8: shown as what most such files are.
      return this.western.decode(bytes);
    }
  }
}

function plainText(bytes: Uint8Array): string | undefined {
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Texts of a dictionary, decoded on first use; long ones come from the file. */
export class DictionaryTexts implements ColumnTexts {
  private readonly known: (string | undefined)[] = [];

  constructor(
    private readonly dictionary: CsvDictionary,
    private readonly decoder: CellDecoder,
    private readonly whole: (offset: number, length: number) => string,
  ) {}

  get size(): number {
    return this.dictionary.size;
  }

  text(code: number): string {
    const known = this.known[code];
    if (known !== undefined) return known;
    const long = this.dictionary.longText(code);
    // A long text is not cached.
    if (long) return this.whole(long.offset, long.length);
    return (this.known[code] = this.decoder.decode(this.dictionary.textBytes(code)));
  }
}
