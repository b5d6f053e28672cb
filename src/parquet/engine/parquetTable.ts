import { isCoded } from '../../base/errors';
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
import { isPlainBytes, type LeafType, leafType } from './leafTypes';
import { type LeafPages, NestedRows } from './nestedText';
import type { Values } from './pageValues';
import { damagedParquet } from './parquetErrors';
import { type Leaf, ParquetFile, type RowGroupPlace, type TopColumn } from './parquetFile';

/** Maximum number of cached columns, however small. */
const MAX_CACHED_COLUMNS = 4096;
/** Memory that a column of one row group may take whatever the budget. */
const MIN_COLUMN_BYTES = 256 * 1024 * 1024;
/** Memory for decoded pages whatever the budget. */
const MIN_PIECES_BYTES = 32 * 1024 * 1024;
/** Bytes of different texts that one column may have whatever the budget. */
const MIN_TEXT = 64 * 1024 * 1024;

/** Where pages have fewer rows, a column of numbers has a part for each row group instead. */
const MIN_PART_ROWS = 4096;
/** A value whose text has no code yet. */
const NO_CODE = 0xffff_ffff;

/** Decoded rows of a column: those of a page, or of a row group where the column is nested. */
interface Piece {
  /** In the row group. */
  firstRow: number;
  rows: number;
  /** Where the value of each row is, −1 for null; undefined where row k has value k. */
  places: Int32Array | undefined;
  values: Values;
  /** Of a nested column: the texts themselves. */
  texts?: (string | undefined)[];
  /** Freed when the piece is not cached: nothing else uses it. */
  memory: ArrayBuffer[];
  bytes: number;
}

interface ParquetColumn {
  top: TopColumn;
  type: LeafType;
  /** The only leaf of a flat column. */
  leaf: Leaf | undefined;
}

/** A column of texts, and what their dictionary takes. */
type TextColumn = CodeColumn & { dictionary: CsvDictionary; longBytes: number };

/**
 * A Parquet file as a table. Columns are decoded on demand, page by page; the pages and columns
 * used last stay in memory, within the tables' budget.
 */
export class ParquetTable implements OtherTable {
  readonly columns: Column[];
  readonly delimiter = ',';
  readonly hasByteOrderMark = false;
  private readonly read: ParquetColumn[];
  private readonly pieces: ByteCache<Piece>;
  private readonly dictionaries: ByteCache<Values>;
  readonly cache: ValueCache;

  private constructor(
    private readonly parquet: ParquetFile,
    private readonly budget: number,
  ) {
    this.read = parquet.columns.map(top => {
      const leaf = top.isFlat ? top.leaves[0] : undefined;
      const type: LeafType = leaf
        ? leafType(leaf.tree.element)
        : { kind: 'text', text: () => '', isQuoted: false };
      return { top, type, leaf };
    });
    this.columns = this.read.map(({ top, type }, index) => ({ index, name: top.name, kind: type.kind }));
    this.pieces = new ByteCache(Math.max(budget / 2, MIN_PIECES_BYTES));
    this.dictionaries = new ByteCache(Math.max(budget / 4, MIN_PIECES_BYTES));
    const room = () => this.budget - this.pieces.bytes - this.dictionaries.bytes;
    this.cache = new ValueCache(room, MAX_CACHED_COLUMNS);
  }

  /** Opens a file; `budget`: columns' bytes. Throws `damaged-table`, `not-a-file`, `cancelled`. */
  static async open(path: string, budget: number, signal?: AbortSignal): Promise<ParquetTable> {
    const parquet = await ParquetFile.open(path, signal);
    try {
      const table = new ParquetTable(parquet, budget);
      for (const { index } of table.columns) {
        // A damaged column is refused where it is read: the others may be whole.
        const isRounded = await table.isRounded(index, signal).catch((error: unknown) => {
          if (!isCoded(error, 'damaged-table')) throw error;
        });
        if (isRounded) table.columns[index] = { ...table.columnAt(index), isRounded };
      }
      return table;
    } catch (error) {
      parquet.close();
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

  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    return this.cache.get(
      {
        key: `numbers ${column}`,
        make: shared =>
          this.columnAt(column).kind === 'number'
            ? this.readNumbers(column, shared)
            : this.numbersInTexts(column, shared),
        bytesOf: bytesOfColumn,
      },
      signal,
    );
  }

  residuals(column: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    const { kind, isRounded } = this.columnAt(column);
    if (kind === 'number' && !isRounded) return Promise.resolve([]);
    return this.cache.get(
      {
        key: `residuals ${column}`,
        make: shared =>
          kind === 'number' ? this.readResiduals(column, shared) : this.residualsInTexts(column, shared),
        bytesOf: residuals => residuals.reduce((sum, residual) => sum + bytesOfColumn(residual), 0),
      },
      signal,
    );
  }

  codes(column: number, signal?: AbortSignal): Promise<TextColumn> {
    return this.cache.get(
      {
        key: `codes ${column}`,
        make: shared => this.readCodes(column, shared),
        bytesOf: codes => bytesOfColumn(codes) + codes.dictionary.memory + codes.longBytes,
      },
      signal,
    );
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    this.parquet.check();
    const texts: CellTexts = {
      rows: Array.from({ length: rows.length }, () => new Array<string>(columns.length).fill('')),
      cut: [],
      ragged: [],
    };
    columns.forEach((index, cell) => {
      const column = this.read[index];
      if (!column) return;
      let group: RowGroupPlace | undefined;
      let piece: Piece | undefined;
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at] ?? 0;
        if (!group || row < group.firstRow || row >= group.firstRow + group.rows) {
          group = this.groupOf(row);
          piece = undefined;
        }
        if (!group) continue;
        const inGroup = row - group.firstRow;
        if (!piece || inGroup < piece.firstRow || inGroup >= piece.firstRow + piece.rows)
          piece = this.pieceOf(group, column, inGroup);
        const text = textIn(piece, column.type, inGroup - piece.firstRow) ?? '';
        const isCut = 3 * text.length > limit && Buffer.byteLength(text) > limit;
        const cells = texts.rows[at];
        if (cells) cells[cell] = isCut ? text.slice(0, Math.ceil(limit / 4)) : text;
        if (isCut) texts.cut.push([at, cell]);
      }
    });
    return texts;
  }

  /** Bytes of the file aren't its texts: each row has to be looked at. */
  candidateRows(): Promise<CandidateRows> {
    return Promise.resolve({ isCandidate: () => true });
  }

  dispose(): void {
    this.parquet.close();
  }

  private columnAt(column: number): Column {
    return this.columns[column] ?? { index: column, name: '', kind: 'text' };
  }

  private groupOf(row: number): RowGroupPlace | undefined {
    return this.parquet.groups[lastAt(this.parquet.groups, ({ firstRow }) => firstRow <= row)];
  }

  /** The piece of a column that has a row of a row group. */
  private pieceOf(group: RowGroupPlace, column: ParquetColumn, row: number): Piece {
    const { leaf } = column;
    const page = leaf
      ? this.named(column, () => lastAt(this.parquet.pagesOf(group, leaf).pages, ({ first }) => first <= row))
      : 0;
    const key = pieceKey(group, column, page);
    const cached = this.pieces.get(key);
    if (cached) return cached;
    const piece = this.readPiece(group, column, page);
    this.pieces.set(key, piece, piece.bytes);
    return piece;
  }

  private readPiece(group: RowGroupPlace, column: ParquetColumn, page: number): Piece {
    return this.named(column, () =>
      column.leaf ? this.flatPiece(group, column.leaf, page) : this.nestedPiece(group, column.top),
    );
  }

  private flatPiece(group: RowGroupPlace, leaf: Leaf, at: number): Piece {
    const { pages, dictionary } = this.parquet.pagesOf(group, leaf);
    const page = pages[at];
    if (!page) throw new Error(`no page ${at}`);
    const entries = dictionary && this.dictionaryOf(group, leaf);
    const { definitions, values, places: inDictionary } = this.parquet.readPage(group, leaf, page, entries);
    const { first: firstRow, count: rows } = page;
    let places: Int32Array | undefined;
    if (definitions && (inDictionary?.length ?? values.count) < rows) {
      places = new Int32Array(rows);
      let next = 0;
      for (let row = 0; row < rows; row++)
        if (definitions[row] !== leaf.maxDefinition) places[row] = -1;
        else {
          places[row] = inDictionary ? (inDictionary[next] as number) : next;
          next++;
        }
    } else if (inDictionary) places = new Int32Array(inDictionary.buffer);
    const memory: ArrayBuffer[] = [
      ...(inDictionary ? [] : memoryOf(values)),
      ...(places ? [places.buffer as ArrayBuffer] : []),
    ];
    return { firstRow, rows, places, values, memory, bytes: bytesOf(memory) };
  }

  /** The dictionary of a column chunk, if it has one. */
  private dictionaryOf(group: RowGroupPlace, leaf: Leaf): Values | undefined {
    const key = `${group.index} ${leaf.index}`;
    const cached = this.dictionaries.get(key);
    if (cached) return cached;
    const { dictionary } = this.parquet.pagesOf(group, leaf);
    if (!dictionary) return undefined;
    const values = this.parquet.dictionaryOf(group, leaf, dictionary);
    this.dictionaries.set(key, values, bytesOf(memoryOf(values)));
    return values;
  }

  private nestedPiece(group: RowGroupPlace, top: TopColumn): Piece {
    const pages = new Map(
      top.leaves.map(leaf => {
        const chunk = this.parquet.pagesOf(group, leaf);
        const entries = chunk.dictionary && this.dictionaryOf(group, leaf);
        const read: LeafPages = chunk.pages.map(page => ({
          count: page.count,
          ...this.parquet.readPage(group, leaf, page, entries),
        }));
        return [leaf, read] as const;
      }),
    );
    const rows = new NestedRows(top, pages);
    const texts: (string | undefined)[] = [];
    let bytes = 0;
    for (let row = 0; row < group.rows; row++) {
      const text = rows.next();
      bytes += 24 + 2 * (text?.length ?? 0);
      texts.push(text);
    }
    rows.end();
    return {
      firstRow: 0,
      rows: group.rows,
      places: undefined,
      values: { count: 0 },
      texts,
      memory: [],
      bytes,
    };
  }

  /** Errors of a column say which it is. */
  private named<T>({ top }: ParquetColumn, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isCoded(error) && error.details.reason?.code !== 'parquet-damaged') throw error;
      const message = `column ${top.name}: ${error instanceof Error ? error.message : String(error)}`;
      throw damagedParquet(
        message,
        codedReason('parquet-damaged', 'The values of column "{0}" are damaged', top.name),
        error,
      );
    }
  }

  /** Decodes each piece of a column in order. Those that no cell was requested of aren't cached. */
  private async eachPiece(
    index: number,
    signal: AbortSignal | undefined,
    visit: (piece: Piece, group: RowGroupPlace, pages: number) => void | 'stop',
  ): Promise<void> {
    const column = this.read[index];
    if (!column) return;
    const pacer = new Pacer(signal);
    this.parquet.check();
    for (const group of this.parquet.groups) {
      const { leaf } = column;
      const pages = leaf ? this.named(column, () => this.parquet.pagesOf(group, leaf).pages.length) : 1;
      for (let page = 0; page < pages; page++) {
        if (pacer.isDue) await pacer.pause();
        const cached = this.pieces.get(pieceKey(group, column, page));
        const piece = cached ?? this.readPiece(group, column, page);
        const next = this.named(column, () => visit(piece, group, pages));
        if (!cached) piece.memory.forEach(freeMemory);
        if (next === 'stop') return;
      }
    }
  }

  /** Memory for a column, a part per row group. Throws `too-many-objects` if one doesn't fit. */
  private partsOf<T>(column: number, make: (rows: number) => T): { values: T[]; firstRows: number[] } {
    this.checkSize(column);
    return {
      values: this.parquet.groups.map(({ rows }) => make(rows)),
      firstRows: this.parquet.groups.map(({ firstRow }) => firstRow),
    };
  }

  private checkSize(column: number): void {
    const most = Math.max(this.budget, MIN_COLUMN_BYTES);
    for (const { rows } of this.parquet.groups)
      if (rows * Float64Array.BYTES_PER_ELEMENT > most) throw tooLargeColumn(this.columnAt(column).name);
  }

  private async readNumbers(column: number, signal: AbortSignal): Promise<NumberColumn> {
    // A damaged footer may say any number of rows: memory is for those that pages have.
    await this.eachHeader(column, signal);
    this.checkSize(column);
    const values: Float64Array[] = [];
    const firstRows: number[] = [];
    const { number = () => NaN, integer } = this.read[column]?.type ?? {};
    const { isRounded } = this.columnAt(column);
    await this.eachPiece(column, signal, (piece, group, pages) => {
      const { firstRow, rows, places } = piece;
      // Some writers have pages without values.
      if (rows === 0) return;
      const doubles = piece.values.numbers instanceof Float64Array ? piece.values.numbers : undefined;
      const areJoined = pages * MIN_PART_ROWS > group.rows + MIN_PART_ROWS;
      const isPart = !areJoined && doubles !== undefined && !places;
      if (isPart) piece.memory = [];
      if (!areJoined || firstRow === 0) {
        values.push(isPart ? doubles : uninitialized(areJoined ? group.rows : rows));
        firstRows.push(group.firstRow + firstRow);
      }
      const part = values.at(-1) ?? new Float64Array(0);
      const target = areJoined ? part.subarray(firstRow, firstRow + rows) : part;
      if (doubles && places)
        for (let row = 0; row < rows; row++) target[row] = doubles[places[row] as number] ?? NaN;
      else if (doubles && !isPart) target.set(doubles);
      else if (!doubles)
        for (let row = 0; row < rows; row++) {
          const place = places ? (places[row] as number) : row;
          target[row] = place < 0 ? NaN : number(piece.values, place);
        }
      markMissing(target, places);
      if (integer && !isRounded)
        for (let row = 0; row < rows; row++) {
          const value = target[row] as number;
          if (Number.isSafeInteger(value) || Number.isNaN(value)) continue;
          const exact = integer(piece.values, places ? (places[row] as number) : row);
          if (BigInt(value) !== exact) throw new Error(`${exact} is not within the statistics`);
        }
    });
    return { values, firstRows };
  }

  private async eachHeader(index: number, signal: AbortSignal): Promise<void> {
    const column = this.read[index];
    const pacer = new Pacer(signal);
    for (const group of this.parquet.groups)
      for (const leaf of column?.top.leaves ?? []) {
        if (pacer.isDue) await pacer.pause();
        if (column) this.named(column, () => this.parquet.pagesOf(group, leaf));
      }
  }

  private async readResiduals(column: number, signal: AbortSignal): Promise<NumberColumn[]> {
    const { integer } = this.read[column]?.type ?? {};
    const residuals: (NumberColumn & { values: Float64Array[] })[] = [];
    let part = 0;
    await this.eachPiece(column, signal, ({ firstRow, rows, places, values }, group) => {
      while (this.parquet.groups[part] !== group) part++;
      for (let row = 0; row < rows; row++) {
        const place = places ? (places[row] as number) : row;
        if (place < 0 || !integer) continue;
        const exact = integer(values, place);
        residualsOf(exact, Number(exact)).forEach((residual, nth) => {
          residuals[nth] ??= this.partsOf(column, count => new Float64Array(count));
          const target = residuals[nth]?.values[part];
          if (target) target[firstRow + row] = residual;
        });
      }
    });
    return residuals;
  }

  /** Whether a column has an integer that isn't its double. Of most, statistics rule it out. */
  private async isRounded(column: number, signal?: AbortSignal): Promise<boolean> {
    const { leaf, type } = this.read[column] ?? {};
    const integer = type?.integer;
    if (!integer || !leaf) return false;
    const { precision = Infinity, converted_type, logical_type } = leaf.tree.element;
    const isDecimal = converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL';
    if (isDecimal && precision <= 15) return false;
    const areSafe = this.parquet.groups.every(group => {
      const { statistics } = this.parquet.chunkOf(group, leaf);
      const bounds = [statistics?.min_value ?? statistics?.min, statistics?.max_value ?? statistics?.max];
      return bounds.every(bound => typeof bound === 'bigint' && Number.isSafeInteger(Number(bound)));
    });
    if (areSafe && !isDecimal) return false;
    let isRounded = false;
    await this.eachPiece(column, signal, ({ values }) => {
      for (let at = 0; at < values.count && !isRounded; at++) {
        const exact = integer(values, at);
        const value = Number(exact);
        isRounded = !Number.isSafeInteger(value) && BigInt(value) !== exact;
      }
      return isRounded ? 'stop' : undefined;
    });
    return isRounded;
  }

  private async readCodes(column: number, signal: AbortSignal): Promise<TextColumn> {
    await this.eachHeader(column, signal);
    const dictionary = new CsvDictionary(Math.min(Math.max(this.budget, MIN_TEXT), 0xffff_0000));
    /** Texts that the dictionary has only the beginning of, by the offset that it has for them. */
    const longTexts: string[] = [];
    let longBytes = 0;
    const encoder = new TextEncoder();
    const parts = this.partsOf(column, rows => new Uint32Array(rows).fill(EMPTY_CODE));
    const type = this.read[column]?.type;
    const arePlain = type !== undefined && isPlainBytes(type);
    const add = (bytes: Uint8Array, start: number, end: number, textOf: () => string) => {
      const code = dictionary.add(bytes, start, end, false, longTexts.length);
      if (dictionary.longText(code)?.offset === longTexts.length)
        longBytes += 2 * (longTexts[longTexts.length] = textOf()).length;
      if (code === NO_ROOM || longBytes > Math.max(this.budget, MIN_TEXT))
        throw tooLargeColumn(this.columnAt(column).name);
      return code;
    };
    /** Codes of a page's values, or of a dictionary's, which pages share. */
    let codes = new Uint32Array(0);
    let codedValues: Values | undefined;
    let part = 0;
    await this.eachPiece(column, signal, (piece, group) => {
      while (parts.firstRows[part] !== group.firstRow) part++;
      const { firstRow, rows, places, values, texts } = piece;
      const target = parts.values[part] ?? new Uint32Array(0);
      if (values !== codedValues) {
        codes = new Uint32Array(texts?.length ?? values.count).fill(NO_CODE);
        codedValues = values;
      }
      const codeOf = (place: number): number => {
        const { bytes } = values;
        const text = () => (texts ? texts[place] : type?.text(values, place)) ?? '';
        if (arePlain && bytes && !texts) {
          const [start, end] = [bytes.starts[place] as number, bytes.ends[place] as number];
          if (isPrintableAscii(bytes.bytes, start, end)) return add(bytes.bytes, start, end, text);
        }
        const encoded = encoder.encode(text());
        return add(encoded, 0, encoded.length, text);
      };
      const codesHere = codes;
      for (let row = 0; row < rows; row++) {
        const place = places ? (places[row] as number) : row;
        if (place < 0 || (texts && texts[place] === undefined)) continue;
        let code = codesHere[place] as number;
        if (code === NO_CODE) codesHere[place] = code = codeOf(place);
        target[firstRow + row] = code;
      }
    });
    const texts = new DictionaryTexts(dictionary, new CellDecoder(), offset => longTexts[offset] ?? '');
    return { ...parts, dictionary, longBytes, texts };
  }

  /** The numbers in the texts of a column, as a CSV file with these cells has them. */
  private async numbersInTexts(column: number, signal: AbortSignal): Promise<NumberColumn> {
    const numberOf = (text: string) => {
      const bytes = Buffer.from(text);
      return cellNumber(bytes, 0, bytes.length, '.');
    };
    const missingCodeOf = (text: string) => {
      const missing = missingOf(text);
      return missing === undefined ? TEXT_CODE : MISSING_CODES[missing];
    };
    return numbersByCode(await this.codes(column, signal), numberOf, missingCodeOf, signal);
  }

  private async residualsInTexts(column: number, signal: AbortSignal): Promise<NumberColumn[]> {
    const { values, firstRows, texts } = await this.codes(column, signal);
    const residuals: (readonly number[])[] = [];
    const pacer = new Pacer(signal);
    for (let code = 0; code < texts.size; code++) {
      if (code % 256 === 0 && pacer.isDue) await pacer.pause();
      const bytes = Buffer.from(texts.text(code));
      const value = cellNumber(bytes, 0, bytes.length, '.');
      residuals.push(integerResiduals(bytes, 0, bytes.length, Ascii.Dot, value));
    }
    const count = residuals.reduce((most, { length }) => Math.max(most, length), 0);
    return Array.from({ length: count }, (_, nth) => ({
      values: values.map(codes => Float64Array.from(codes, code => residuals[code]?.[nth] ?? 0)),
      firstRows,
    }));
  }
}

/** The columns of a file as they would be written again. Throws as ParquetTable.open does. */
export async function typesIn(path: string, signal?: AbortSignal): Promise<WrittenColumn[]> {
  const file = await ParquetFile.open(path, signal);
  file.close();
  return file.columns.map(({ name, isFlat, leaves }) => {
    const type = isFlat ? leaves[0]?.type.type : undefined;
    return { name, type: type === 'DOUBLE' ? 'number' : type === 'INT64' ? 'integer' : 'text' };
  });
}

/** Memory with any numbers: the system needs longer to clear it than to fill it. */
function uninitialized(rows: number): Float64Array {
  return new Float64Array(Buffer.allocUnsafeSlow(8 * rows).buffer);
}

/** Says of each NaN how it is missing. */
function markMissing(numbers: Float64Array, places: Int32Array | undefined): void {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row] as number;
    if (value === value) continue;
    words[2 * row] = (places?.[row] ?? 0) < 0 ? MISSING_CODES.empty : MISSING_CODES.NaN;
    words[2 * row + 1] = MISSING_HIGH;
  }
}

function pieceKey(group: RowGroupPlace, { leaf, top }: ParquetColumn, page: number): string {
  return `${group.index} ${(leaf ?? top.leaves[0])?.index ?? -1} ${page}`;
}

function textIn({ texts, places, values }: Piece, type: LeafType, row: number): string | undefined {
  if (texts) return texts[row];
  const place = places ? (places[row] as number) : row;
  return place < 0 ? undefined : type.text(values, place);
}

/** An ascending list's last item that meets a condition, as all before it do; −1 for none. */
function lastAt<T>(list: readonly T[], condition: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether bytes are ASCII without control characters, and so their own text. */
function isPrintableAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80 || byte < 0x20) return false;
  }
  return true;
}

function bytesOf(parts: readonly { byteLength: number }[]): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The memory of values. */
function memoryOf({ numbers, bigints, bytes }: Values): ArrayBuffer[] {
  const arrays = [numbers, bigints, bytes?.bytes, bytes?.starts, bytes?.ends];
  return arrays.flatMap(array => (array ? [array.buffer as ArrayBuffer] : []));
}
