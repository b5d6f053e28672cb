import { Ascii } from '../../../base/ascii';
import { ABSENT_CODE, CsvDictionary, NO_ROOM } from '../../csv/csvDictionary';
import { cellContent, cellEnd, isQuoted } from '../../csv/csvGrammar';
import { cellNumber, integerResiduals, missingKind } from '../../csv/csvNumber';
import { MISSING_CODES, MISSING_HIGH, type ScannedBlock, TEXT, TEXT_CODE } from '../../csv/csvScan';
import type { HeaderRows } from '../../tableSummary';
import { Block, BlockList } from './blockList';
import { ByteSearch, SearchedRows } from './candidateRows';
import type { TableFile } from './tableFile';
import {
  bytesOfColumn,
  CellDecoder,
  type CellTexts,
  type CodeColumn,
  type Column,
  DictionaryTexts,
  ValueCache,
  type NumberColumn,
  type TableSource,
  tooLargeColumn,
} from './tableSource';

/**
 * Maximum number of columns without a header, as many as a spreadsheet has. Rows with more cells
 * than the header add them, because the first line may be a title. Further cells aren't shown.
 */
const MAX_EXTRA_COLUMNS = 16_384;
const MAX_RAGGED_LISTED = 20;
/** Maximum number of columns per block to search for the reason why they became text. */
const MAX_BROKEN_SEARCHED = 100;
/** Bytes of distinct texts that a column may have even if the budget is smaller. */
const MIN_TEXT_BYTES = 64 * 1024 * 1024;

interface StartedTable {
  file: TableFile;
  names: string[];
  delimiter: string;
  decimalComma: boolean;
  headerRows: HeaderRows;
  /** NUMBER or TEXT for each column of the header. */
  modes: Uint8Array;
  /** Bytes that columns may take. */
  budget: number;
}

/**
 * A delimited file as typed columns in blocks of rows, which arrive while it is read. Columns of
 * numbers and codes take a fraction of the memory of rows of strings, and sort, filter and count at
 * memory speed. Exact texts are read from the file, which stays open. So are columns that aren't
 * stored: a column of numbers that proved to be text, or any column when memory is short.
 */
export class Table implements TableSource {
  readonly columns: Column[];
  readonly delimiter: string;
  readonly decimalComma: boolean;
  /** See TableSummary. */
  lateDecimals: { row: number; columns: number } | undefined;
  readonly raggedRows: { count: number; first: number[] } = { count: 0, first: [] };
  readonly dictionaries: (CsvDictionary | undefined)[];
  private readonly blocks = new BlockList();
  private readonly decoder = new CellDecoder();
  /** 1 for columns of the header with a number. */
  private readonly hasNumber: Uint8Array;
  private readonly isText: Uint8Array;
  private readonly blankColumns = new Set<number>();
  private hasEnded = false;
  private hasRowStartsOnly = false;
  /** Bytes that the columns would take in memory; 0 unless they are too large to be stored. */
  columnBytes = 0;
  /** Columns that were read on demand, and computed values. See `room` for its size. */
  cache = new ValueCache(() => this.room);
  /** The prefix of this table's keys in the cache, which tables may share. */
  private cachePrefix = '';
  private readonly rowTexts: RowTexts;
  private readonly texts = new Map<CsvDictionary, DictionaryTexts>();

  constructor(private readonly started: StartedTable) {
    const { file, names, modes, delimiter, decimalComma } = started;
    this.delimiter = delimiter;
    this.decimalComma = decimalComma;
    this.columns = names.map((name, index) => ({
      index,
      name,
      kind: modes[index] === TEXT ? 'text' : 'number',
    }));
    this.dictionaries = [...modes].map(mode => (mode === TEXT ? this.newDictionary() : undefined));
    this.hasNumber = new Uint8Array(names.length);
    this.isText = modes.map(mode => (mode === TEXT ? 1 : 0));
    this.rowTexts = new RowTexts(file, delimiter.charCodeAt(0), this.decoder, this.blocks);
  }

  get rowCount(): number {
    return this.blocks.rowCount;
  }

  get file(): TableFile {
    return this.started.file;
  }

  get hasByteOrderMark(): boolean {
    return this.file.hasByteOrderMark;
  }

  /** The rows of the file that make up the header. */
  get headerRows(): HeaderRows {
    return this.started.headerRows;
  }

  get paths(): string[] {
    return [this.file.path];
  }

  /** Bytes of memory that stored columns and their texts take. */
  get memory(): number {
    return this.dictionaries.reduce((sum, dictionary) => sum + (dictionary?.memory ?? 0), this.blocks.memory);
  }

  /** Bytes of the budget that the stored columns leave. */
  get room(): number {
    return this.started.budget - this.memory;
  }

  /** Whether all rows have been read. */
  get isComplete(): boolean {
    return this.hasEnded;
  }

  /** Whether columns are read on demand because they would not fit the budget. */
  get isReduced(): boolean {
    return this.hasRowStartsOnly;
  }

  /**
   * Drops the stored columns, because all would take `columnBytes`. From now on, only the positions
   * of rows in the file are stored.
   */
  reduce(columnBytes: number): void {
    this.hasRowStartsOnly = true;
    this.columnBytes = columnBytes;
    this.blocks.dropColumns();
    this.dictionaries.fill(undefined);
    this.texts.clear();
  }

  /** Uses a cache that several tables share. Keys of this table start with `prefix`. */
  shareCache(cache: ValueCache, prefix: string): void {
    this.cache = cache;
    this.cachePrefix = prefix;
  }

  /**
   * Appends a block. Returns whether it changed the kind or exactness of a column, or the number of
   * columns.
   */
  accept(scanned: ScannedBlock): boolean {
    let hasChanged = false;
    for (const column of scanned.broken) hasChanged = this.becomesText(column) || hasChanged;
    for (let column = 0; column < scanned.numeric.length; column++)
      if (scanned.numeric[column] === 1) this.hasNumber[column] = 1;
    for (const column of scanned.rounded) hasChanged = this.becomesRounded(column) || hasChanged;
    const headerLength = this.hasNumber.length;
    while (this.columns.length < Math.min(scanned.widest, headerLength + MAX_EXTRA_COLUMNS)) {
      this.columns.push({ index: this.columns.length, name: '', kind: 'text' });
      this.dictionaries.push(undefined);
      hasChanged = true;
    }
    for (const row of scanned.ragged) {
      this.raggedRows.count++;
      if (this.raggedRows.first.length < MAX_RAGGED_LISTED) this.raggedRows.first.push(this.rowCount + row);
    }
    const block = new Block(scanned, this.rowCount);
    const firstRow = this.rowCount;
    this.blocks.add(this.hasRowStartsOnly ? block.withoutColumns() : block);
    if (hasChanged) this.noteLateDecimals(block, scanned.broken, firstRow);
    return hasChanged;
  }

  /** All rows have been read: a column without any number is text. */
  complete(): void {
    this.hasEnded = true;
    this.columns.forEach(({ index, kind }) => {
      if (kind !== 'number' || this.hasNumber[index] === 1) return;
      this.blankColumns.add(index);
      this.becomesText(index);
    });
  }

  /** Whether all cells of a column are missing, so its kind is void. Final after all rows. */
  isBlank(column: number): boolean {
    return this.blankColumns.has(column);
  }

  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    const stored = this.blocks.stored(block => block.numbers(column));
    if (stored) return Promise.resolve(stored);
    return this.cache.get(
      {
        key: `${this.cachePrefix} numbers ${column} ${this.rowCount}`,
        make: shared => {
          const reader = this.reader();
          return this.blocks.read(block => block.numbers(column) ?? reader.numbers(block, column), shared);
        },
        bytesOf: bytesOfColumn,
      },
      signal,
    );
  }

  residuals(column: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    const isText = this.isText[column] === 1;
    if (!isText && !this.columns[column]?.isRounded) return Promise.resolve([]);
    return this.cache.get(
      {
        key: `${this.cachePrefix} residuals ${column} ${this.rowCount}`,
        make: async shared => {
          const reader = this.reader();
          const { values, firstRows } = await this.blocks.read(
            block => ({
              rows: block.rows,
              residuals: isText || block.isRounded(column) ? reader.residuals(block, column) : [],
            }),
            shared,
          );
          const count = Math.max(0, ...values.map(({ residuals }) => residuals.length));
          return Array.from({ length: count }, (_, nth) => ({
            values: values.map(({ rows, residuals }) => residuals[nth] ?? new Float64Array(rows)),
            firstRows,
          }));
        },
        bytesOf: residuals => residuals.reduce((sum, residual) => sum + bytesOfColumn(residual), 0),
      },
      signal,
    );
  }

  codes(column: number, signal?: AbortSignal): Promise<CodeColumn> {
    const storedDictionary = this.dictionaries[column];
    const stored = storedDictionary && this.blocks.stored(block => block.codes(column));
    if (stored) return Promise.resolve({ ...stored, texts: this.textsOf(storedDictionary) });
    return this.cache.get(
      {
        key: `${this.cachePrefix} codes ${column} ${this.rowCount}`,
        make: async shared => {
          const reader = this.reader();
          // A dictionary that was full while reading is not used again.
          const isFull = this.blocks.some(({ scanned }) => scanned.full.includes(column));
          const limit = Math.min(Math.max(this.started.budget, MIN_TEXT_BYTES), 0xffff_0000);
          const dictionary = (!isFull && storedDictionary) || new CsvDictionary(limit);
          const codes = await this.blocks.read(block => {
            const blockCodes = dictionary === storedDictionary ? block.codes(column) : undefined;
            const codesOfBlock = blockCodes ?? reader.codes(block, column, dictionary);
            if (!codesOfBlock) throw tooLargeColumn(this.columns[column]?.name ?? '');
            return codesOfBlock;
          }, shared);
          return { ...codes, texts: this.textsOf(dictionary), dictionary };
        },
        bytesOf: codes =>
          bytesOfColumn(codes) + (codes.dictionary === storedDictionary ? 0 : codes.dictionary.memory),
      },
      signal,
    );
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    return this.rowTexts.cells(rows, columns, limit);
  }

  candidateRows(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<SearchedRows> {
    return this.cache.get(
      {
        key: JSON.stringify([this.cachePrefix, 'found', text, caseSensitive, this.rowCount]),
        make: () =>
          Promise.resolve(new SearchedRows(this.file, this.blocks, new ByteSearch(text, caseSensitive))),
        bytesOf: rows => rows.memory,
      },
      signal,
    );
  }

  dispose(): void {
    this.file.close();
  }

  private becomesText(column: number): boolean {
    const info = this.columns[column];
    if (!info || this.isText[column] === 1) return false;
    this.isText[column] = 1;
    this.columns[column] = { index: info.index, name: info.name, kind: 'text' };
    if (!this.hasRowStartsOnly) this.dictionaries[column] ??= this.newDictionary();
    return true;
  }

  /** Counts the columns that became text only by a block's numbers with the other decimal mark. */
  private noteLateDecimals(block: Block, broken: readonly number[], firstRow: number): void {
    if (broken.length === 0) return;
    const reader = this.reader();
    for (const column of broken.slice(0, MAX_BROKEN_SEARCHED)) {
      const row = reader.firstOfOtherMark(block, column);
      if (row < 0) continue;
      this.lateDecimals ??= { row: firstRow + row, columns: 0 };
      this.lateDecimals.columns++;
    }
  }

  private becomesRounded(column: number): boolean {
    const info = this.columns[column];
    if (!info || info.isRounded || this.isText[column] === 1) return false;
    this.columns[column] = { ...info, isRounded: true };
    return true;
  }

  private newDictionary(): CsvDictionary {
    return new CsvDictionary(Math.min(Math.max(this.started.budget / 4, MIN_TEXT_BYTES), 0xffff_0000));
  }

  private textsOf(dictionary: CsvDictionary): DictionaryTexts {
    let texts = this.texts.get(dictionary);
    if (!texts) {
      const longText = (offset: number, length: number) => this.rowTexts.cellAt(offset, length);
      texts = new DictionaryTexts(dictionary, this.decoder, longText);
      // A dictionary made for a column on demand is dropped with that column.
      if (this.dictionaries.includes(dictionary)) this.texts.set(dictionary, texts);
    }
    return texts;
  }

  private reader(): ColumnReader {
    this.file.check();
    return new ColumnReader(this.file, this.delimiter.charCodeAt(0), this.decimalComma);
  }
}

// Typed columns are for sorting and filtering; cells show the exact text of the file. Each block
// knows where its rows begin in the file, so rows to show are read again, consecutive ones at once.

/** Maximum number of consecutive rows, and of their bytes, that are read at once. */
const MAX_ROWS_AT_ONCE = 512;
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;

/** Reads rows' exact texts from a table's file. All methods throw `file-changed`. */
class RowTexts {
  constructor(
    private readonly file: TableFile,
    private readonly delimiter: number,
    private readonly decoder: CellDecoder,
    private readonly blocks: BlockList,
  ) {}

  /** Texts of rows × columns, each cut to `limit` bytes. */
  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const texts: CellTexts = { rows: [], cut: [], ragged: [] };
    const lastColumn = columns.reduce((max, column) => Math.max(max, column), -1);
    const cellIndexes = new Int32Array(lastColumn + 1).fill(-1);
    columns.forEach((column, index) => (cellIndexes[column] = index));
    // Throws if the file was rewritten: the positions would be those of other rows.
    this.file.check();
    let bytes: Uint8Array = new Uint8Array(0);
    let bytesStart = 0;
    let bytesEnd = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] ?? 0;
      const block = this.blocks.blockOf(row);
      const cells = new Array<string>(columns.length).fill('');
      texts.rows.push(cells);
      if (!block) continue;
      if (block.isRagged(row)) texts.ragged.push(i);
      const [start, end] = block.rangeOf(row);
      if (start < bytesStart || end > bytesEnd) {
        bytesStart = start;
        bytesEnd = this.endOfRun(rows, i, start, end);
        bytes = new Uint8Array(bytesEnd - bytesStart);
        this.file.read(bytes, bytesStart, bytesEnd - bytesStart);
      }
      const rowEnd = end - bytesStart;
      let from = start - bytesStart;
      for (let column = 0; column <= lastColumn; column++) {
        const to = cellEnd(bytes, from, rowEnd, this.delimiter);
        const cellIndex = cellIndexes[column] as number;
        if (cellIndex >= 0) {
          cells[cellIndex] = this.decoder.decode(cellContent(bytes, from, cutEnd(bytes, from, to, limit)));
          if (to - from > limit) texts.cut.push([i, cellIndex]);
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

  /**
   * The end of the bytes of consecutive rows that begin with `rows[position]`. Its own bytes are
   * [start, end).
   */
  private endOfRun(rows: ArrayLike<number>, position: number, start: number, end: number): number {
    let runEnd = end;
    for (let ahead = position + 1; ahead < rows.length && ahead - position < MAX_ROWS_AT_ONCE; ahead++) {
      const row = rows[ahead] ?? 0;
      const block = this.blocks.blockOf(row);
      if (!block || row !== (rows[ahead - 1] ?? 0) + 1) break;
      const [, rowEnd] = block.rangeOf(row);
      if (rowEnd - start > MAX_BYTES_AT_ONCE) break;
      runEnd = rowEnd;
    }
    return runEnd;
  }
}

/** Where a cell of UTF-8 is cut so that at most `limit` bytes, and no half characters, are left. */
function cutEnd(bytes: Uint8Array, from: number, to: number, limit: number): number {
  if (to - from <= limit) return to;
  let end = from + limit;
  while (end > from && end > from + limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** Reads single columns of a block from the file again. */
class ColumnReader {
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

  /**
   * A block's first row whose cell is a number only with the other decimal mark; −1 if there is
   * none, or if a cell isn't a number with either mark.
   */
  firstOfOtherMark(block: Block, column: number): number {
    const [mark, otherMark] = this.decimalComma ? ([',', '.'] as const) : (['.', ','] as const);
    let firstRow = -1;
    let isText = false;
    this.eachCell(block, column, (row, bytes, start, end) => {
      if (isText || start < 0 || missingKind(bytes, start, end) !== undefined) return;
      if (!Number.isNaN(cellNumber(bytes, start, end, mark))) return;
      if (Number.isNaN(cellNumber(bytes, start, end, otherMark))) isText = true;
      else if (firstRow < 0) firstRow = row;
    });
    return isText ? -1 : firstRow;
  }

  /**
   * The residuals of the integers in a column, see integerResiduals: an array with the first
   * residual of each row, then one with the second, and so on.
   */
  residuals(block: Block, column: number): Float64Array[] {
    const residuals: Float64Array[] = [];
    const mark = this.decimalComma ? ',' : '.';
    const markByte = this.decimalComma ? Ascii.Comma : Ascii.Dot;
    this.eachCell(block, column, (row, bytes, start, end) => {
      const value = start < 0 ? NaN : cellNumber(bytes, start, end, mark);
      const cellResiduals = integerResiduals(bytes, start, end, markByte, value);
      for (let i = 0; i < cellResiduals.length; i++)
        (residuals[i] ??= new Float64Array(block.rows))[row] = cellResiduals[i] as number;
    });
    return residuals;
  }

  /** Undefined when the dictionary has no room for the texts. */
  codes(block: Block, column: number, dictionary: CsvDictionary): Uint32Array | undefined {
    const codes = new Uint32Array(block.rows);
    let isFull = false;
    this.eachCell(block, column, (row, bytes, start, end, offset) => {
      const code =
        start < 0 ? ABSENT_CODE : dictionary.add(bytes, start, end, isQuoted(bytes, start, end), offset);
      codes[row] = code;
      if (code === NO_ROOM) isFull = true;
    });
    return isFull ? undefined : codes;
  }

  /** Visits the cell of each row of a block; `start` is −1 if the row has no such cell. */
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
      let position = rowStarts[row] as number;
      for (let skipped = 0; skipped < column; skipped++) {
        position = cellEnd(bytes, position, length, this.delimiter);
        if (position >= length || bytes[position] !== this.delimiter) {
          position = -1;
          break;
        }
        position++;
      }
      if (position < 0) visit(row, bytes, -1, -1, 0);
      else visit(row, bytes, position, cellEnd(bytes, position, length, this.delimiter), start + position);
    }
  }
}
