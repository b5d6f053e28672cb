import { CodedError } from '../../base/errors';
import { CsvDictionary, unquoteInto } from '../../formats/csvDictionary';
import { SKIP, TEXT } from '../../formats/csvCells';
import type { ScannedBlock } from '../../formats/csvScan';
import { SharedValues } from '../sharedWork';
import { Pacer } from '../slices';
import { Block, ColumnReader, cellEnd } from './blockColumns';
import { ByteSearch } from './byteSearch';
import { placeInSorted } from './placeInSorted';
import type { TableFile } from './tableFile';
import {
  CellDecoder,
  DictionaryTexts,
  type CellTexts,
  type CodeColumn,
  type Column,
  type NumberColumn,
  type TableSource,
} from './tableSource';

/**
 * Columns beyond the header's that rows with too many cells may add, as many as a spreadsheet has: a title may stand above
 * the header. Cells past them are counted, not shown.
 */
const EXTRA_COLUMNS = 16_384;
const FIRST_RAGGED = 20;
const QUOTE = 0x22;
/** Columns read from the file on demand that are kept at most; fewer when memory is short. */
const KEPT_ON_DEMAND = 24;
/** Bytes of different texts that one column may have whatever the budget. */
const LEAST_TEXT = 64 * 1024 * 1024;
const KEPT_SEARCHES = 2;
/** Rows, and bytes of them, that are read together where they follow each other. */
const ROWS_TOGETHER = 512;
const BYTES_TOGETHER = 8 * 1024 * 1024;

export interface TableParts {
  file: TableFile;
  names: string[];
  delimiter: string;
  decimalComma: boolean;
  /** NUMBER or TEXT for each column of the header. */
  modes: Uint8Array;
  /** Bytes that columns may take. */
  budget: number;
}

/**
 * A delimited file as typed columns in blocks of rows, which arrive while it is read. Exact texts come from the file, which
 * stays open; so do columns that are not held: a column of numbers proved to be text, or any when memory is short.
 */
export class Table implements TableSource {
  readonly columns: Column[];
  readonly delimiter: string;
  readonly decimalComma: boolean;
  readonly raggedRows: { count: number; first: number[] } = { count: 0, first: [] };
  readonly dictionaries: (CsvDictionary | undefined)[];
  private readonly blocks: Block[] = [];
  private readonly decoder = new CellDecoder();
  private readonly numeric: Uint8Array;
  private readonly proven: Uint8Array;
  private readonly raggedOf: number[][] = [];
  private readonly blank = new Set<number>();
  private rows = 0;
  private held = 0;
  private readingEnded = false;
  private keepNothing = false;
  /** What columns would take, if they are read on demand for that reason. */
  columnBytes = 0;
  private numbersRead = new SharedValues<string, NumberColumn>(KEPT_ON_DEMAND);
  private codesRead = new SharedValues<string, CodeColumn>(KEPT_ON_DEMAND);
  private keptOnDemand = KEPT_ON_DEMAND;
  private readonly rowsFound = new SharedValues<string, Uint8Array>(KEPT_SEARCHES);
  private readonly texts = new Map<CsvDictionary, DictionaryTexts>();

  constructor(private readonly parts: TableParts) {
    const { names, modes, delimiter, decimalComma } = parts;
    this.delimiter = delimiter;
    this.decimalComma = decimalComma;
    this.columns = names.map((name, index) => ({
      index,
      name,
      kind: modes[index] === TEXT ? 'text' : 'number',
    }));
    this.dictionaries = [...modes].map(mode => (mode === TEXT ? this.newDictionary() : undefined));
    this.numeric = new Uint8Array(names.length);
    this.proven = modes.map(mode => (mode === TEXT ? 1 : 0));
  }

  get rowCount(): number {
    return this.rows;
  }

  get file(): TableFile {
    return this.parts.file;
  }

  get paths(): string[] {
    return [this.file.path];
  }

  /** Bytes of memory that columns and their texts hold. */
  get memory(): number {
    return this.dictionaries.reduce((sum, dictionary) => sum + (dictionary?.memory ?? 0), this.held);
  }

  /** Whether all rows have been read. */
  get isComplete(): boolean {
    return this.readingEnded;
  }

  /** Whether columns are read on demand because they would not fit the budget. */
  get isReduced(): boolean {
    return this.keepNothing;
  }

  /** Only where rows stand is kept, of those that came already too; the columns would take so many bytes. */
  reduce(columnBytes: number): void {
    this.keepNothing = true;
    this.columnBytes = columnBytes;
    this.blocks.forEach(({ scanned, firstRow }, at) => {
      this.held -= scanned.numbers.byteLength + scanned.codes.byteLength;
      this.blocks[at] = new Block(withoutColumns(scanned), firstRow);
    });
    this.dictionaries.fill(undefined);
    this.texts.clear();
  }

  /** Takes the next block. Returns whether a column's kind or the number of columns changed. */
  accept(scanned: ScannedBlock): boolean {
    let changed = false;
    for (const column of scanned.broken) changed = this.becomesText(column) || changed;
    for (let column = 0; column < scanned.numeric.length; column++)
      if (scanned.numeric[column] === 1) this.numeric[column] = 1;
    const headers = this.numeric.length;
    while (this.columns.length < Math.min(scanned.widest, headers + EXTRA_COLUMNS)) {
      this.columns.push({ index: this.columns.length, name: '', kind: 'text' });
      this.dictionaries.push(undefined);
      changed = true;
    }
    const kept = this.keepNothing ? withoutColumns(scanned) : scanned;
    for (const row of scanned.ragged) {
      this.raggedRows.count++;
      if (this.raggedRows.first.length < FIRST_RAGGED) this.raggedRows.first.push(this.rows + row);
    }
    this.raggedOf.push(scanned.ragged);
    this.blocks.push(new Block(kept, this.rows));
    this.rows += scanned.rows;
    this.held += kept.numbers.byteLength + kept.codes.byteLength + kept.rowStarts.byteLength;
    return changed;
  }

  /** All rows are there: a column that never showed a number is text. */
  complete(): void {
    this.readingEnded = true;
    this.columns.forEach(({ index, kind }) => {
      if (kind !== 'number' || this.numeric[index] === 1) return;
      this.blank.add(index);
      this.becomesText(index);
    });
  }

  /** Whether all cells of a column are missing: its kind then says nothing. Known once all rows have been read. */
  isBlank(column: number): boolean {
    return this.blank.has(column);
  }

  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    const key = `${column}:${this.rows}`;
    if (this.blocks.every(block => block.numbers(column)))
      return Promise.resolve(
        this.columnOf(this.blocks.map(block => block.numbers(column) ?? new Float64Array(0))),
      );
    this.boundKept();
    return this.numbersRead.get(
      key,
      async shared => {
        const reader = this.reader();
        return this.columnOf(
          await this.perBlock(block => block.numbers(column) ?? reader.numbers(block, column), shared),
        );
      },
      signal,
    );
  }

  codes(column: number, signal?: AbortSignal): Promise<CodeColumn> {
    const held = this.dictionaries[column];
    if (held && this.blocks.every(block => block.codes(column)))
      return Promise.resolve({
        ...this.columnOf(this.blocks.map(block => block.codes(column) ?? new Uint32Array(0))),
        texts: this.textsOf(held),
      });
    this.boundKept();
    return this.codesRead.get(
      `${column}:${this.rows}`,
      async shared => {
        const reader = this.reader();
        // A dictionary that was full while reading is not asked again.
        const isFull = this.blocks.some(({ scanned }) => scanned.full.includes(column));
        const limit = Math.min(Math.max(this.parts.budget, LEAST_TEXT), 0xffff_0000);
        const dictionary = (!isFull && held) || new CsvDictionary(limit);
        const values = await this.perBlock(block => {
          const known = dictionary === held ? block.codes(column) : undefined;
          const codes = known ?? reader.codes(block, column, dictionary);
          if (!codes) throw tooManyTexts(this.columns[column]?.name ?? '');
          return codes;
        }, shared);
        return { ...this.columnOf(values), texts: this.textsOf(dictionary) };
      },
      signal,
    );
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const answer: CellTexts = { rows: [], cut: [], ragged: [] };
    const places = new Map(columns.map((column, at) => [column, at]));
    const last = columns.reduce((most, column) => Math.max(most, column), -1);
    // Rows are found by where they stood: in a file written anew their texts would be others.
    this.file.check();
    let bytes: Uint8Array = new Uint8Array(0);
    let bytesStart = 0;
    let bytesEnd = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const index = this.blockOf(row);
      const block = this.blocks[index];
      const cells = new Array<string>(columns.length).fill('');
      answer.rows.push(cells);
      if (!block) continue;
      const inBlock = row - block.firstRow;
      if (placeInSorted(this.raggedOf[index] ?? [], inBlock) >= 0) answer.ragged.push(at);
      const [start, end] = this.rowRange(block, inBlock);
      if (start < bytesStart || end > bytesEnd) {
        bytesStart = start;
        bytesEnd = this.endTogether(rows, at, start, end);
        bytes = new Uint8Array(bytesEnd - bytesStart + 1);
        this.file.read(bytes, bytesStart, bytesEnd - bytesStart);
      }
      const rowEnd = end - bytesStart;
      const delimiter = this.delimiter.charCodeAt(0);
      let from = start - bytesStart;
      for (let column = 0; column <= last; column++) {
        const to = Math.min(cellEnd(bytes, from, rowEnd, delimiter), rowEnd);
        const place = places.get(column);
        if (place !== undefined) {
          cells[place] = this.cellText(bytes, from, cutEnd(bytes, from, to, limit));
          if (to - from > limit) answer.cut.push([at, place]);
        }
        if (to >= rowEnd || bytes[to] !== delimiter) break;
        from = to + 1;
      }
    }
    return answer;
  }

  rowsHolding(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<Uint8Array> {
    return this.rowsFound.get(
      JSON.stringify([text, caseSensitive, this.rows]),
      async shared => {
        const mask = new Uint8Array(this.rows);
        const search = new ByteSearch(text, caseSensitive);
        await this.perBlock(
          ({ scanned, firstRow }) => search.mark(this.file, scanned, mask, firstRow),
          shared,
        );
        return mask;
      },
      signal,
    );
  }

  dispose(): void {
    this.file.close();
  }

  private cellText(bytes: Uint8Array, start: number, end: number): string {
    if (bytes[start] !== QUOTE || end <= start) return this.decoder.decode(bytes.subarray(start, end));
    const inside = new Uint8Array(end - start);
    return this.decoder.decode(inside.subarray(0, unquoteInto(inside, bytes, start, end)));
  }

  private becomesText(column: number): boolean {
    const info = this.columns[column];
    if (!info || this.proven[column] === 1) return false;
    this.proven[column] = 1;
    this.columns[column] = { ...info, kind: 'text' };
    if (!this.keepNothing) this.dictionaries[column] ??= this.newDictionary();
    return true;
  }

  private newDictionary(): CsvDictionary {
    return new CsvDictionary(Math.min(Math.max(this.parts.budget / 4, LEAST_TEXT), 0xffff_0000));
  }

  private textsOf(dictionary: CsvDictionary): DictionaryTexts {
    let texts = this.texts.get(dictionary);
    if (!texts) {
      texts = new DictionaryTexts(dictionary, this.decoder, (offset, length) => {
        this.file.check();
        const bytes = new Uint8Array(length);
        this.file.read(bytes, offset, length);
        return this.cellText(bytes, 0, length);
      });
      // Dictionaries made for one column on demand go when that column does.
      if (this.dictionaries.includes(dictionary)) this.texts.set(dictionary, texts);
    }
    return texts;
  }

  /** Keeps no more columns read on demand than memory allows. */
  private boundKept(): void {
    const fitting = Math.floor(this.parts.budget / (8 * Math.max(1, this.rows)));
    const limit = Math.min(KEPT_ON_DEMAND, Math.max(1, fitting));
    if (limit === this.keptOnDemand) return;
    this.keptOnDemand = limit;
    this.numbersRead = new SharedValues(limit);
    this.codesRead = new SharedValues(limit);
  }

  private reader(): ColumnReader {
    this.file.check();
    return new ColumnReader(this.file, this.delimiter.charCodeAt(0), this.decimalComma);
  }

  private async perBlock<T>(read: (block: Block) => T, signal: AbortSignal): Promise<T[]> {
    const pacer = new Pacer(signal);
    const values: T[] = [];
    for (const block of [...this.blocks]) {
      await pacer.pause();
      values.push(read(block));
    }
    return values;
  }

  /** Where the rows end that are read together with the one at a place, whose bytes are [start, end). */
  private endTogether(rows: ArrayLike<number>, at: number, start: number, end: number): number {
    let together = end;
    for (let ahead = at + 1; ahead < rows.length && ahead - at < ROWS_TOGETHER; ahead++) {
      const row = rows[ahead] ?? 0;
      const block = this.blocks[this.blockOf(row)];
      if (!block || row !== (rows[ahead - 1] ?? 0) + 1) break;
      const [, next] = this.rowRange(block, row - block.firstRow);
      if (next - start > BYTES_TOGETHER) break;
      together = next;
    }
    return together;
  }

  private columnOf<T>(values: T[]): { values: T[]; firstRows: number[] } {
    return { values, firstRows: values.map((_, at) => this.blocks[at]?.firstRow ?? 0) };
  }

  private blockOf(row: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.blocks[middle]?.firstRow ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return row < 0 || row >= this.rows ? -1 : low;
  }

  /** Bytes of a row in the file, with the line break. */
  private rowRange(block: Block, row: number): [start: number, end: number] {
    const { start, end, rowStarts } = block.scanned;
    const next = rowStarts[row + 1];
    return [start + (rowStarts[row] ?? 0), next === undefined ? end : start + next];
  }
}

/** The end of at most `limit` bytes of a cell, between two characters: half of one would not be UTF-8. */
function cutEnd(bytes: Uint8Array, from: number, to: number, limit: number): number {
  if (to - from <= limit) return to;
  let end = from + limit;
  while (end > from && end > from + limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

function withoutColumns(scanned: ScannedBlock): ScannedBlock {
  return {
    ...scanned,
    modes: new Uint8Array(scanned.modes.length).fill(SKIP),
    numbers: new Float64Array(0),
    codes: new Uint32Array(0),
    full: [],
  };
}

function tooManyTexts(column: string): CodedError {
  const reason = `The column "${column}" holds more text than the memory for tables allows.`;
  return new CodedError('too-many-objects', reason, { reason });
}
