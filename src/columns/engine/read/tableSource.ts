import { CachedValues } from '../../../base/node/joinedWork';
import { CodedError } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import { reason } from '../../../base/reasons';
import type { CsvDictionary } from '../../csv/csvDictionary';
import type { ComputedBy } from '../../tableSummary';
import type { CandidateRows } from './candidateRows';

export interface Column {
  index: number;
  name: string;
  kind: 'number' | 'text';
  /** Set for numbers with an integer that its double rounds, see TableSource.residuals. */
  isRounded?: true;
  /** Set for the label of each row's table, see JoinedTable. */
  isLabel?: true;
  /** Set for a column that is in no file, see ExtendedTable. */
  ofImage?: true;
  /** Identifies a column of images, see TableColumn. */
  id?: string;
  /** Set for a column that is in no file. */
  converted?: { of: number };
  /** Set for another such column. */
  computed?: ComputedBy;
}

/** Numbers in parts: `values[k]` has rows from `firstRows[k]` on. For NaN, see MISSING_CODES. */
export interface NumberColumn {
  values: Float64Array[];
  firstRows: number[];
}

/** A column of text in parts: a code for each row; `texts` has the text of each code. */
export interface CodeColumn {
  values: Uint32Array[];
  firstRows: number[];
  texts: ColumnTexts;
}

/** Codes below this one are cells without text: absent (0) and empty (1). */
export const FIRST_TEXT = 2;

/** The distinct texts of a column by their codes. */
export interface ColumnTexts {
  readonly size: number;
  /** The text of a code; '' for absent (0) and empty (1). */
  text(code: number): string;
}

/** The exact texts of some cells. */
export interface CellTexts {
  rows: string[][];
  /** Cells that were cut: position in `rows`, position in the row. */
  cut: [row: number, cell: number][];
  /** Positions in `rows` of rows with fewer or more cells than the header. */
  ragged: number[];
}

/** A table to compute with: a file, or several joined. Usable while rows are still being read. */
export interface TableSource {
  readonly columns: readonly Column[];
  /** Rows read so far. */
  readonly rowCount: number;
  /** The table's own files, which must not be overwritten. */
  readonly paths: readonly string[];
  readonly delimiter: string;
  /** Whether a file begins with a byte order mark. */
  readonly hasByteOrderMark: boolean;
  /** Values that were computed for requests, and that later ones may need. */
  readonly cache: Pick<ValueCache, 'get' | 'hold'>;
  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn>;
  /**
   * The differences of a column's integers to their doubles: each row's first residual, then the
   * second, and so on; none if all doubles are exact. Rows sorted by number, first residual,
   * second residual… are sorted by their integers.
   */
  residuals(column: number, signal?: AbortSignal): Promise<NumberColumn[]>;
  codes(column: number, signal?: AbortSignal): Promise<CodeColumn>;
  /** Texts of rows × columns, each cut to `limit` bytes of the file. */
  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts;
  /** The rows that may contain a text. */
  candidateRows(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<CandidateRows>;
}

/** Columns to compute with. */
export type ColumnSource = Pick<TableSource, 'columns' | 'numbers' | 'residuals' | 'codes'>;

/** The parts of a table that saving needs. */
export type TableToSave = ColumnSource &
  Pick<TableSource, 'paths' | 'delimiter' | 'hasByteOrderMark' | 'cells'>;

/** Decodes bytes of a table: UTF-8, else Windows-1252 per cell, so that every byte shows. */
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
      // Not UTF-8: decodes the encoding of most such files.
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
  private readonly decoded: (string | undefined)[] = [];

  constructor(
    private readonly dictionary: CsvDictionary,
    private readonly decoder: CellDecoder,
    private readonly readLongText: (offset: number, length: number) => string,
  ) {}

  get size(): number {
    return this.dictionary.size;
  }

  text(code: number): string {
    const text = this.decoded[code];
    if (text !== undefined) return text;
    const longText = this.dictionary.longText(code);
    // A long text is not cached.
    if (longText) return this.readLongText(longText.offset, longText.length);
    return (this.decoded[code] = this.decoder.decode(this.dictionary.textBytes(code)));
  }
}

/** Some rows of a table in the file's order. `rows` is undefined for the first `count` rows. */
export interface RowSubset {
  rows: Uint32Array | undefined;
  count: number;
}

/** A column's numbers for some rows, in the file's order. */
export async function gatherNumbers(
  source: ColumnSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const values = new Float64Array(subset.count);
  await gather(await source.numbers(column, signal), subset, values, signal);
  return values;
}

/** Like gatherNumbers, in parts. For all rows, these are the table's: don't change them. */
export async function numberParts(
  source: ColumnSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  if (subset.rows) return [await gatherNumbers(source, column, subset, signal)];
  const { values, firstRows } = await source.numbers(column, signal);
  // More rows may have been read in the meantime.
  return values.map((part, index) => part.subarray(0, Math.max(0, subset.count - (firstRows[index] ?? 0))));
}

/** A column's residuals for some rows, see TableSource.residuals. */
export async function gatherResiduals(
  source: ColumnSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const gathered: Float64Array[] = [];
  for (const residual of await source.residuals(column, signal)) {
    const values = new Float64Array(subset.count);
    await gather(residual, subset, values, signal);
    gathered.push(values);
  }
  return gathered;
}

/** A column's codes for some rows, in file order, and their meanings. Don't change the codes. */
export async function gatherCodes(
  source: ColumnSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<{ codes: Uint32Array; texts: ColumnTexts }> {
  const coded = await source.codes(column, signal);
  const whole = subset.rows ? undefined : wholeOf(coded.values, subset.count);
  if (whole) return { codes: whole, texts: coded.texts };
  const codes = new Uint32Array(subset.count);
  await gather(coded, subset, codes, signal);
  return { codes, texts: coded.texts };
}

/** The first `count` values of parts that are consecutive in a buffer, as in added columns. */
function wholeOf(parts: readonly Uint32Array[], count: number): Uint32Array | undefined {
  const [first] = parts;
  let end = first?.byteOffset;
  for (const part of parts) {
    if (part.buffer !== first?.buffer || part.byteOffset !== end) return undefined;
    end += part.byteLength;
  }
  if (!first || end === undefined || end - first.byteOffset < count * Uint32Array.BYTES_PER_ELEMENT)
    return undefined;
  return new Uint32Array(first.buffer, first.byteOffset, count);
}

async function gather<T extends Float64Array | Uint32Array>(
  column: NumberColumn | CodeColumn,
  { rows, count }: RowSubset,
  target: T,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pacer = new Pacer(signal);
  let position = 0;
  for (let part = 0; part < column.values.length && position < count; part++) {
    const values = column.values[part] as T;
    const first = column.firstRows[part] ?? 0;
    if (part % 16 === 15) await pacer.pause();
    if (!rows) {
      const counted = values.length > count - first ? values.subarray(0, count - first) : values;
      target.set(counted, first);
      position = first + counted.length;
      continue;
    }
    const end = first + values.length;
    for (; position < count; position++) {
      const row = rows[position] as number;
      if (row >= end) break;
      target[position] = values[row - first] as number;
    }
  }
}

/** A column's numbers for rows in any order; NaN for rows that do not exist, such as −1. */
export async function numbersAt(
  source: ColumnSource,
  column: number,
  rows: Int32Array,
  signal?: AbortSignal,
): Promise<Float64Array<ArrayBuffer>> {
  const valueAt = valueReader(await source.numbers(column, signal));
  return Float64Array.from(rows, row => valueAt(row) ?? NaN);
}

/** Like numbersAt, for texts: the position of each among some texts, else NaN. */
export async function textPositionsAt(
  source: ColumnSource,
  column: number,
  rows: Int32Array,
  among: readonly string[],
  signal?: AbortSignal,
): Promise<Float64Array<ArrayBuffer>> {
  const codeColumn = await source.codes(column, signal);
  const codeAt = valueReader(codeColumn);
  const positions = new Map(among.map((text, index) => [text, index]));
  const positionOf = new Map<number, number>();
  return Float64Array.from(rows, row => {
    const code = codeAt(row) ?? 0;
    if (code < FIRST_TEXT) return NaN;
    let position = positionOf.get(code);
    if (position === undefined) {
      position = positions.get(codeColumn.texts.text(code)) ?? NaN;
      positionOf.set(code, position);
    }
    return position;
  });
}

/** Reads a column row by row; undefined for a row that isn't there, such as −1. */
export function valueReader({
  values,
  firstRows,
}: NumberColumn | CodeColumn): (row: number) => number | undefined {
  let part = 0;
  return row => {
    // A row is mostly near the previous one.
    while (part > 0 && (firstRows[part] ?? 0) > row) part--;
    while (part + 1 < firstRows.length && (firstRows[part + 1] ?? 0) <= row) part++;
    return values[part]?.[row - (firstRows[part] ?? 0)];
  };
}

/** Default maximum number of cached values, however small. */
const MAX_CACHED_VALUES = 40;

export interface CachedValue<T> {
  /** Identifies the value among all cached values of its table. */
  key: string;
  make: (signal: AbortSignal) => Promise<T>;
  /** Bytes that the value takes. */
  bytesOf: (value: T) => number;
}

/**
 * Values that were computed from a table or read from its file, cached for later requests: orders,
 * filtered rows, columns. Keeps the values used last, as many as fit the bytes that `room` gives.
 */
export class ValueCache {
  private readonly values = new CachedValues<string, unknown>();
  /** Bytes of each completed value, in the order of last use. */
  private readonly sizes = new Map<string, number>();
  private total = 0;
  private heldKeys: readonly string[] = [];

  /** `maxValues`: maximum number of values, however small. */
  constructor(
    private readonly room: () => number,
    private readonly maxValues = MAX_CACHED_VALUES,
  ) {}

  /** Bytes that all values take. */
  get memory(): number {
    return this.total;
  }

  /**
   * The value of a key, made once while it is cached. Throws `cancelled`, and what `make` throws.
   */
  get<T>({ key, make, bytesOf }: CachedValue<T>, signal?: AbortSignal): Promise<T> {
    const size = this.sizes.get(key);
    if (size !== undefined) {
      this.sizes.delete(key);
      this.sizes.set(key, size);
    }
    const makeAndStore = async (shared: AbortSignal) => {
      const value = await make(shared);
      this.store(key, bytesOf(value));
      return value;
    };
    return this.values.get(key, makeAndStore, signal) as Promise<T>;
  }

  /** Holds the values of these keys, whatever their size, until others are held. */
  hold(keys: readonly string[]): void {
    this.heldKeys = keys;
    this.drop();
  }

  private store(key: string, bytes: number): void {
    // The value may have been made again, if it was canceled just when it was complete.
    this.total += bytes - (this.sizes.get(key) ?? 0);
    this.sizes.set(key, bytes);
    this.drop();
  }

  /** Drops the values used longest ago that don't fit. */
  private drop(): void {
    const room = this.room();
    for (const [oldest, size] of this.sizes) {
      if (this.total <= room && this.sizes.size <= this.maxValues) break;
      if (this.heldKeys.includes(oldest)) continue;
      this.sizes.delete(oldest);
      this.values.delete(oldest);
      this.total -= size;
    }
  }
}

/** The bytes of a column, including parts that the table stores anyway. */
export function bytesOfColumn({ values }: Pick<NumberColumn | CodeColumn, 'values'>): number {
  return values.reduce((sum, part) => sum + part.byteLength, 0);
}

/** The error for a column that is larger than the budget. */
export function tooLargeColumn(column: string): CodedError {
  return new CodedError('too-many-objects', `Column "${column}" does not fit into memory`, {
    reason: reason('Column "{0}" needs more memory than tables may use', column),
  });
}
