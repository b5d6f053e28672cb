import { type CodedError, isCoded } from '../../base/errors';
import { ByteCache } from '../../base/byteCache';
import { freeMemory } from '../../base/node/freeMemory';
import { Pacer } from '../../base/node/slices';
import { codedReason } from '../../base/reasons';
import { CsvDictionary, EMPTY_CODE, NO_ROOM } from '../../columns/csv/csvDictionary';
import { Ascii } from '../../base/ascii';
import { cellNumber, integerResiduals, residualsOf } from '../../columns/csv/csvNumber';
import { MISSING_CODES, MISSING_HIGH, TEXT_CODE } from '../../columns/csv/csvScan';
import type { OtherTable } from '../../columns/engine/typedFormat';
import { missingOf, numbersByCode } from '../../columns/engine/read/derivedColumn';
import type { CandidateRows } from '../../columns/engine/read/candidateRows';
import {
  bytesOfColumn,
  CellDecoder,
  type CellTexts,
  type CodeColumn,
  type Column,
  DictionaryTexts,
  ValueCache,
  type NumberColumn,
  tooLargeColumn,
} from '../../columns/engine/read/tableSource';
import type { WrittenColumn } from '../../columns/writtenTable';
import { nestedPage } from './nestedText';
import type { Values } from './pageValues';
import { damagedParquet } from './parquetErrors';
import { type Leaf, type DataPage, ParquetFile, type RowGroupPlace, type TopColumn } from './parquetFile';

/** Maximum number of cached columns, however small. */
const MAX_CACHED_COLUMNS = 4096;
/** Memory that a column of one row group may use, even if the budget is smaller. */
const MIN_COLUMN_BYTES = 256 * 1024 * 1024;
/** Memory for decoded pages, even if the budget is smaller. */
const MIN_PAGES_BYTES = 64 * 1024 * 1024;
/** Bytes of distinct texts that a column may have, even if the budget is smaller. */
const MIN_TEXT_BYTES = 64 * 1024 * 1024;

/** If pages have fewer rows on average, their numbers are joined to one array per row group. */
const MIN_PART_ROWS = 4096;
/** The place of the only page of a nested column. */
const WHOLE_GROUP = [{ first: 0 }];
/** A value whose text has no code yet. */
const NO_CODE = 0xffff_ffff;

/** A column of texts with its dictionary. */
type TextColumn = CodeColumn & { dictionary: CsvDictionary };

/**
 * A Parquet file as a table. Decodes columns on demand, page by page; a nested column has one page
 * of texts for each row group. Caches recently used pages and columns within the tables' budget.
 */
export class ParquetTable implements OtherTable {
  readonly columns: Column[];
  readonly delimiter = ',';
  readonly hasByteOrderMark = false;
  /** Decoded pages and dictionaries. */
  private readonly pages: ByteCache<DataPage>;
  readonly cache: ValueCache;

  private constructor(
    private readonly parquet: ParquetFile,
    private readonly budget: number,
  ) {
    this.columns = parquet.columns.map(({ index, name, type: { kind } }) => ({ index, name, kind }));
    this.pages = new ByteCache(Math.max(budget / 2, MIN_PAGES_BYTES));
    this.cache = new ValueCache(() => this.budget - this.pages.bytes, MAX_CACHED_COLUMNS);
  }

  /** Opens a file; `budget`: column bytes. Throws `damaged-table`, `not-a-file`, `cancelled`. */
  static async open(path: string, budget: number, signal?: AbortSignal): Promise<ParquetTable> {
    const parquet = await ParquetFile.open(path, signal);
    try {
      const table = new ParquetTable(parquet, budget);
      for (const column of table.columns) {
        // Reading a damaged column fails later; the other columns may be readable.
        const isRounded = await table.isRounded(table.columnAt(column.index), signal).catch(error => {
          if (!isCoded(error, 'damaged-table')) throw error;
        });
        if (isRounded) column.isRounded = true;
      }
      return table;
    } catch (error) {
      parquet.file.close();
      throw error;
    }
  }

  get rowCount(): number {
    return this.parquet.rowCount;
  }

  get columnBytes(): number {
    return this.columns.reduce((sum, { kind }) => sum + this.rowCount * (kind === 'number' ? 8 : 4), 0);
  }

  get paths(): string[] {
    return [this.parquet.file.path];
  }

  numbers(index: number, signal?: AbortSignal): Promise<NumberColumn> {
    const column = this.columnAt(index);
    const make = (shared: AbortSignal) =>
      column.type.kind === 'number' ? this.readNumbers(column, shared) : this.numbersInTexts(column, shared);
    return this.cache.get({ key: `numbers ${index}`, make, bytesOf: bytesOfColumn }, signal);
  }

  residuals(index: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    const { kind, isRounded } = this.columns[index] ?? {};
    if (kind === 'number' && !isRounded) return Promise.resolve([]);
    const make = (shared: AbortSignal) => this.readResiduals(this.columnAt(index), shared);
    const bytesOf = (residuals: readonly NumberColumn[]) =>
      residuals.reduce((sum, residual) => sum + bytesOfColumn(residual), 0);
    return this.cache.get({ key: `residuals ${index}`, make, bytesOf }, signal);
  }

  codes(index: number, signal?: AbortSignal): Promise<TextColumn> {
    const make = (shared: AbortSignal) => this.readCodes(this.columnAt(index), shared);
    const bytesOf = (codes: TextColumn) => bytesOfColumn(codes) + codes.dictionary.memory;
    return this.cache.get({ key: `codes ${index}`, make, bytesOf }, signal);
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    this.parquet.file.check();
    const texts: CellTexts = {
      rows: Array.from({ length: rows.length }, () => new Array<string>(columns.length).fill('')),
      cut: [],
      ragged: [],
    };
    columns.forEach((index, cell) => {
      const textAt = this.textReader(this.columnAt(index));
      texts.rows.forEach((cells, at) => {
        const text = textAt(rows[at] ?? 0) ?? '';
        const isCut = 3 * text.length > limit && Buffer.byteLength(text) > limit;
        cells[cell] = isCut ? text.slice(0, Math.ceil(limit / 4)) : text;
        if (isCut) texts.cut.push([at, cell]);
      });
    });
    return texts;
  }

  /** Bytes of the file aren't its texts: each row has to be looked at. */
  candidateRows(): Promise<CandidateRows> {
    return Promise.resolve({ isCandidate: () => true });
  }

  dispose(): void {
    this.parquet.file.close();
  }

  private columnAt(index: number): TopColumn {
    const column = this.parquet.columns[index];
    if (!column) throw new Error(`no column ${index}`);
    return column;
  }

  /** Returns a function for a column's texts, undefined for null; fast for rows in one page. */
  private textReader(column: TopColumn): (row: number) => string | undefined {
    const { groups } = this.parquet;
    let page: DataPage | undefined;
    /** The first row of the page in the table. */
    let first = 0;
    return row => {
      try {
        if (!page || row < first || row >= first + page.count) {
          const group = groups[lastIndexMeeting(groups, ({ firstRow }) => firstRow <= row)];
          if (!group || row >= this.rowCount) return undefined;
          const pages = this.pagePlaces(group, column);
          const at = lastIndexMeeting(pages, place => group.firstRow + place.first <= row);
          page = this.cachedPage(keyOf(group, column, at), () => this.readPage(group, column, at));
          first = group.firstRow + page.first;
        }
        const place = placeOf(page.places, row - first);
        return place < 0 ? undefined : column.type.text(page.values[place]);
      } catch (error) {
        throw damagedColumn(column, error);
      }
    };
  }

  private pagePlaces(group: RowGroupPlace, { flat }: TopColumn): readonly { first: number }[] {
    return flat ? this.parquet.pagesOf(group, flat).pages : WHOLE_GROUP;
  }

  private readPage(group: RowGroupPlace, column: TopColumn, at: number): DataPage {
    if (column.flat) return this.pageOfLeaf(group, column.flat, at);
    return nestedPage(column, group.rows, leaf => this.pagesOfLeaf(group, leaf));
  }

  /** The pages of a leaf, each read when it is asked for. */
  private *pagesOfLeaf(group: RowGroupPlace, leaf: Leaf): Generator<DataPage> {
    for (const at of this.parquet.pagesOf(group, leaf).pages.keys()) yield this.pageOfLeaf(group, leaf, at);
  }

  private pageOfLeaf(group: RowGroupPlace, leaf: Leaf, at: number): DataPage {
    const { pages, dictionary } = this.parquet.pagesOf(group, leaf);
    const page = pages[at];
    if (!page) throw new Error(`no page ${at}`);
    const read = (place: typeof page) => this.parquet.readDictionary(group, leaf, place);
    const key = `${group.index} dictionary ${leaf.index}`;
    return this.parquet.readPage(
      group,
      leaf,
      page,
      dictionary && this.cachedPage(key, () => read(dictionary)),
    );
  }

  /** A page from the cache; reads and caches it if needed. */
  private cachedPage(key: string, read: () => DataPage): DataPage {
    let page = this.pages.get(key);
    if (!page) this.pages.set(key, (page = { ...read(), memory: [] }), page.bytes);
    return page;
  }

  /** Visits a column's pages in order. Frees uncached ones unless `visit` returns 'keep'. */
  private async eachPage(
    column: TopColumn,
    signal: AbortSignal | undefined,
    visit: (page: DataPage, group: RowGroupPlace, pageCount: number) => void | 'stop' | 'keep',
  ): Promise<void> {
    const pacer = new Pacer(signal);
    this.parquet.file.check();
    try {
      for (const group of this.parquet.groups) {
        const { length: pageCount } = this.pagePlaces(group, column);
        if (8 * group.rows > Math.max(this.budget, MIN_COLUMN_BYTES)) throw tooLargeColumn(column.name);
        for (let at = 0; at < pageCount; at++) {
          if (pacer.isDue) await pacer.pause();
          const page = this.pages.get(keyOf(group, column, at)) ?? this.readPage(group, column, at);
          const decision = visit(page, group, pageCount);
          if (decision !== 'keep') page.memory.forEach(freeMemory);
          if (decision === 'stop') return;
        }
      }
    } catch (error) {
      throw damagedColumn(column, error);
    }
  }

  private async readNumbers(column: TopColumn, signal: AbortSignal): Promise<NumberColumn> {
    const values: Float64Array[] = [];
    const firstRows: number[] = [];
    const { numbers = () => [], integer } = column.type;
    const { isRounded } = this.columns[column.index] ?? {};
    /** Of a page's values, or of a dictionary's, which pages share. */
    let converted: { from: Values; doubles: ArrayLike<number> } | undefined;
    await this.eachPage(column, signal, ({ first, count, places, values: pageValues }, group, pageCount) => {
      // Some writers have pages without values.
      if (count === 0) return undefined;
      if (converted?.from !== pageValues) converted = { from: pageValues, doubles: numbers(pageValues) };
      const { doubles } = converted;
      const areJoined = pageCount * MIN_PART_ROWS > group.rows + MIN_PART_ROWS;
      const isPart = !areJoined && doubles instanceof Float64Array && !places;
      if (!areJoined || first === 0) {
        values.push(isPart ? doubles : uninitialized(areJoined ? group.rows : count));
        firstRows.push(group.firstRow + first);
      }
      const part = values.at(-1) ?? new Float64Array(0);
      const target = areJoined ? part.subarray(first, first + count) : part;
      if (places) for (let row = 0; row < count; row++) target[row] = doubles[places[row] as number] ?? NaN;
      else if (!isPart) target.set(doubles);
      markMissing(target, places);
      if (integer && !isRounded)
        for (let row = 0; row < count; row++)
          if (differs(target[row] as number, integer, pageValues, placeOf(places, row)))
            throw new Error('a number is not within the statistics');
      return isPart && doubles === pageValues ? 'keep' : undefined;
    });
    return { values, firstRows };
  }

  /** Whether doubles round an integer of a column. For most columns, statistics rule this out. */
  private async isRounded(column: TopColumn, signal?: AbortSignal): Promise<boolean> {
    const { flat, type } = column;
    const { integer, numbers } = type;
    if (!flat || !integer || !numbers) return false;
    const areSafe = this.parquet.groups.every(group => {
      const statistics = group.chunks[flat.index]?.statistics;
      const bounds = [statistics?.min_value ?? statistics?.min, statistics?.max_value ?? statistics?.max];
      return bounds.every(bound => typeof bound === 'bigint' && Number.isSafeInteger(Number(bound)));
    });
    let isRounded = false;
    let compared: Values | undefined;
    if (!areSafe)
      await this.eachPage(column, signal, ({ values }) => {
        // Pages share a dictionary.
        if (values === compared) return undefined;
        compared = values;
        const doubles = numbers(values);
        for (let at = 0; at < values.length && !isRounded; at++)
          isRounded = differs(doubles[at] as number, integer, values, at);
        return isRounded ? 'stop' : undefined;
      });
    return isRounded;
  }

  private async readResiduals(column: TopColumn, signal: AbortSignal): Promise<NumberColumn[]> {
    // Reads all pages before allocating: the row count in a damaged footer may be any number.
    await this.numbers(column.index, signal);
    const { integer, text } = column.type;
    const residuals: Float64Array[] = [];
    await this.eachPage(column, signal, ({ first, count, places, values }, group) => {
      for (let row = 0; row < count; row++) {
        const place = placeOf(places, row);
        if (place < 0) continue;
        const value = values[place];
        const rowResiduals = integer
          ? residualsOf(integer(value), Number(integer(value)))
          : residualsIn(text(value));
        rowResiduals.forEach((residual, order) => {
          const target = (residuals[order] ??= new Float64Array(this.rowCount));
          target[group.firstRow + first + row] = residual;
        });
      }
    });
    return residuals.map(values => ({ values: [values], firstRows: [0] }));
  }

  private async readCodes(column: TopColumn, signal: AbortSignal): Promise<TextColumn> {
    const { index, name, type } = column;
    const dictionary = new CsvDictionary(Math.min(Math.max(this.budget, MIN_TEXT_BYTES), 0xffff_0000));
    const encoder = new TextEncoder();
    const parts: Uint32Array[] = [];
    const firstRows: number[] = [];
    /** Codes of the values of a page, or of a dictionary that several pages share. */
    let codes = new Uint32Array(0);
    let codedValues: Values | undefined;
    await this.eachPage(column, signal, ({ first, count, places, values }, group) => {
      if (firstRows.at(-1) !== group.firstRow) {
        firstRows.push(group.firstRow);
        parts.push(new Uint32Array(group.rows).fill(EMPTY_CODE));
      }
      const target = parts.at(-1)?.subarray(first) ?? new Uint32Array(0);
      if (values !== codedValues) codes = new Uint32Array(values.length).fill(NO_CODE);
      codedValues = values;
      for (let row = 0; row < count; row++) {
        const place = placeOf(places, row);
        if (place < 0) continue;
        let code = codes[place] as number;
        if (code === NO_CODE) {
          const value = values[place];
          const bytes = type.isPlain && isPrintableAscii(value) ? value : encoder.encode(type.text(value));
          // For a long text, the dictionary stores the row instead of the bytes.
          code = dictionary.add(bytes, 0, bytes.length, false, group.firstRow + first + row);
          if (code === NO_ROOM) throw tooLargeColumn(name);
          codes[place] = code;
        }
        target[row] = code;
      }
    });
    const longText = (row: number) => this.cells([row], [index], Infinity).rows[0]?.[0] ?? '';
    const texts = new DictionaryTexts(dictionary, new CellDecoder(), longText);
    return { values: parts, firstRows, dictionary, texts };
  }

  /** The numbers in a column's texts, parsed like the cells of a CSV file. */
  private async numbersInTexts(column: TopColumn, signal: AbortSignal): Promise<NumberColumn> {
    const missingCodeOf = (text: string) => {
      const missing = missingOf(text);
      return missing === undefined ? TEXT_CODE : MISSING_CODES[missing];
    };
    return numbersByCode(await this.codes(column.index, signal), numberOf, missingCodeOf, signal);
  }
}

function numberOf(text: string): number {
  const bytes = Buffer.from(text);
  return cellNumber(bytes, 0, bytes.length, '.');
}

function residualsIn(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  return integerResiduals(bytes, 0, bytes.length, Ascii.Dot, numberOf(text));
}

/** A file's columns with the types to write them with. Throws the errors of ParquetTable.open. */
export async function typesIn(path: string, signal?: AbortSignal): Promise<WrittenColumn[]> {
  const { file, columns } = await ParquetFile.open(path, signal);
  file.close();
  return columns.map(({ name, flat }) => {
    const type = flat?.element.type;
    return { name, type: type === 'DOUBLE' ? 'number' : type === 'INT64' ? 'integer' : 'text' };
  });
}

/** An array with undefined content, since clearing it takes longer than filling it. */
function uninitialized(rows: number): Float64Array {
  return new Float64Array(Buffer.allocUnsafeSlow(8 * rows).buffer);
}

/** Marks each NaN as an empty cell or as a NaN of the file. */
function markMissing(numbers: Float64Array, places: Int32Array | undefined): void {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row] as number;
    if (value === value) continue;
    words[2 * row] = (places?.[row] ?? 0) < 0 ? MISSING_CODES.empty : MISSING_CODES.NaN;
    words[2 * row + 1] = MISSING_HIGH;
  }
}

/** Whether the double of a page's integer differs from it. */
function differs(
  double: number,
  integer: (value: unknown) => bigint,
  values: Values,
  place: number,
): boolean {
  if (Number.isSafeInteger(double) || Number.isNaN(double)) return false;
  return BigInt(double) !== integer(values[place]);
}

function placeOf(places: Int32Array | undefined, at: number): number {
  return places ? (places[at] as number) : at;
}

function keyOf(group: RowGroupPlace, { index }: TopColumn, at: number): string {
  return `${group.index} ${index} ${at}`;
}

/** The error for damaged values, which names the column. */
function damagedColumn({ name }: TopColumn, error: unknown): CodedError {
  if (isCoded(error)) return error;
  const why = codedReason('parquet-damaged', 'The values of column "{0}" are damaged', name);
  return damagedParquet(`column ${name}: ${String(error)}`, why, error);
}

/** Position of the last item that meets a condition, which all items before it meet; else −1. */
function lastIndexMeeting<T>(list: readonly T[], condition: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether a value is printable ASCII, so that its bytes are its text. */
function isPrintableAscii(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array)) return false;
  for (const byte of value) if (byte >= 0x80 || byte < 0x20) return false;
  return true;
}
