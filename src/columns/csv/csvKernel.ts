import { type WasmGlobal, type WasmMemory, WasmModule } from '../../base/wasmModule';
import { type CsvDictionary, MAX_STORED_BYTES } from './csvDictionary';
import { isPlainlyQuoted, isQuoted } from './csvGrammar';
import { EXACT_POWERS, POWERS } from './csvNumber';
import {
  type FillCell,
  maxBlockRows,
  NUMBER,
  type PlainRowReader,
  type ReaderBlock,
  type ScanPlan,
  TEXT,
} from './csvScan';
import wasm from './kernel/csvKernel.wasm';

/** Exports of kernel/csvKernel.as. Addresses are in its memory. */
interface Exports {
  memory: WasmMemory;
  arrange(columns: number, maxRows: number, maxBytes: number, maxValues: number): void;
  begin(delimiter: number, mark: number): void;
  scanRows(
    from: number,
    stop: number,
    end: number,
    blockStart: number,
    row: number,
    maxRow: number,
    maxCells: number,
  ): number;
  remember(column: number, text: number, length: number, code: number): void;
  readonly powers: WasmGlobal;
  readonly parts: WasmGlobal;
  readonly columns: WasmGlobal;
  readonly caches: WasmGlobal;
  readonly cells: WasmGlobal;
  readonly rows: WasmGlobal;
  readonly bytes: WasmGlobal;
  readonly values: WasmGlobal;
  readonly cellCount: WasmGlobal;
  readonly nextRow: WasmGlobal;
  readonly isOdd: WasmGlobal;
}

/**
 * As in kernel/csvKernel.as: sizes of a column and of a listed cell in 4-byte words, and of text
 * caches.
 */
const COLUMN_WORDS = 8;
const CELL_WORDS = 4;
const MAX_CACHED_COLUMNS = 256;
const CACHE_BYTES = 64 * 48;
const MAX_CELLS = 1024;

/** Maximum of columns; JavaScript reads wider tables. */
const MAX_COLUMNS = 16_384;

/** Shares of rows and cells left to JavaScript, above which the kernel is slower. */
const MAX_ODD_ROWS = 0.25;
const MIN_ODD_ROWS = 16;
const MAX_LISTED_CELLS = 0.5;
/** Number of blocks that JavaScript reads after such a block, before the kernel tries again. */
const SKIPPED_BLOCKS = 31;

/**
 * Reads the plain rows of blocks in WebAssembly, with the same result as scanRow in half the time.
 * The file's bytes are read into the kernel's memory, which also has the values;
 * kernel/csvKernel.as describes the layout.
 */
export class CsvKernel implements PlainRowReader {
  /** For bytes of the file, and one more byte for the line feed after them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly words: Uint32Array<ArrayBuffer>;
  /** By column: the dictionary whose codes are in the column's cache. */
  private readonly cachedDictionaries: (CsvDictionary | undefined)[] = [];
  private cacheCount = 0;
  /** Cells that are listed before JavaScript fills them in; few while their texts repeat soon. */
  private maxCells = 1;
  private listed = 0;
  private oddRows = 0;
  /** Whether JavaScript reads the rest of the block faster. */
  private isOdd = false;
  private blocksToSkip = 0;

  constructor(
    private readonly kernel: Exports,
    private readonly columns: number,
    maxBytes: number,
  ) {
    const maxRows = maxBlockRows(columns, maxBytes);
    kernel.arrange(columns, maxRows, maxBytes, 8 * maxRows * columns);
    const { buffer } = kernel.memory;
    this.words = new Uint32Array(buffer);
    this.bytes = new Uint8Array(buffer, kernel.bytes.value, maxBytes + 1);
    new Float64Array(buffer, kernel.powers.value).set(EXACT_POWERS);
    new Float64Array(buffer, kernel.parts.value).set(POWERS);
  }

  begin(
    { delimiter, decimalComma, modes }: ScanPlan,
    dictionaries: readonly (CsvDictionary | undefined)[],
    capacity: number,
    columnStarts: Int32Array,
  ): ReaderBlock | undefined {
    const { kernel, words } = this;
    const mark = (decimalComma ? ',' : '.').charCodeAt(0);
    if (mark === delimiter || modes.length !== this.columns) return undefined;
    if (this.blocksToSkip > 0) {
      this.blocksToSkip--;
      return undefined;
    }
    if (modes.some((mode, column) => mode === TEXT && dictionaries[column] === undefined)) return undefined;
    let numberColumns = 0;
    let textColumns = 0;
    for (const mode of modes) {
      if (mode === NUMBER) numberColumns++;
      else if (mode === TEXT) textColumns++;
    }
    const numbersAt = kernel.values.value;
    const codesAt = numbersAt + 8 * numberColumns * capacity;
    for (let column = 0; column < modes.length; column++) {
      const mode = modes[column] as number;
      const columnStart = columnStarts[column] as number;
      const position = kernel.columns.value / 4 + COLUMN_WORDS * column;
      words[position] = mode;
      words[position + 1] = mode === TEXT ? codesAt + 4 * columnStart : numbersAt + 8 * columnStart;
      // The text of the cell above is gone: its bytes were overwritten.
      words[position + 3] = 0xffff_ffff;
      if (mode === TEXT) this.cacheFor(column, dictionaries[column]);
    }
    kernel.begin(delimiter, mark);
    this.listed = 0;
    this.oddRows = 0;
    this.isOdd = false;
    const { buffer } = kernel.memory;
    return {
      numbers: new Float64Array(buffer, numbersAt, numberColumns * capacity),
      codes: new Uint32Array(buffer, codesAt, textColumns * capacity),
      rowStarts: new Uint32Array(buffer, kernel.rows.value, capacity),
    };
  }

  rows(
    from: number,
    position: number,
    stop: number,
    end: number,
    row: number,
    maxRow: number,
    fill: FillCell,
  ): { position: number; row: number } {
    const { kernel, words } = this;
    if (this.isOdd) return { position, row };
    const base = kernel.bytes.value;
    let next = base + position;
    let nextRow = row;
    for (;;) {
      next = kernel.scanRows(next, base + stop, base + end, base + from, nextRow, maxRow, this.maxCells);
      nextRow = kernel.nextRow.value;
      const isOdd = kernel.isOdd.value !== 0;
      const count = kernel.cellCount.value;
      if (count > 0) this.fillListed(count, words, base, fill);
      if (isOdd) this.isOdd = ++this.oddRows > MIN_ODD_ROWS && this.oddRows > MAX_ODD_ROWS * nextRow;
      if (isOdd || nextRow >= maxRow || next >= base + stop) return { position: next - base, row: nextRow };
    }
  }

  end(rows: number): void {
    const isListed = this.listed > MAX_LISTED_CELLS * rows * this.columns;
    if (this.isOdd || isListed) this.blocksToSkip = SKIPPED_BLOCKS;
  }

  private fillListed(count: number, words: Uint32Array, base: number, fill: FillCell): void {
    const { kernel, bytes } = this;
    const columnsAt = kernel.columns.value / 4;
    let newCells = 0;
    for (let cell = 0, i = kernel.cells.value / 4; cell < count; cell++, i += CELL_WORDS) {
      const column = words[i] as number;
      let start = (words[i + 2] as number) - base;
      let end = (words[i + 3] as number) - base;
      const dictionary = this.cachedDictionaries[column];
      const size = dictionary?.size;
      const code = fill(column, words[i + 1] as number, start, end);
      if (words[columnsAt + COLUMN_WORDS * column] !== TEXT) {
        newCells++;
        this.listed++;
        continue;
      }
      if (dictionary?.size !== size) newCells++;
      if (isQuoted(bytes, start, end)) {
        if (!isPlainlyQuoted(bytes, start, end)) continue;
        start++;
        end--;
      }
      // Of longer texts, the dictionary may store only the beginning.
      if (code > 0 && end - start < MAX_STORED_BYTES)
        kernel.remember(column, base + start, end - start, code);
    }
    // If many listed texts had got a code already, cells are filled in sooner.
    this.maxCells =
      newCells * 2 > count ? Math.min(MAX_CELLS, this.maxCells * 2) : Math.max(1, this.maxCells >> 1);
  }

  /** Gives a column its cache; clears it if its codes are of another dictionary. */
  private cacheFor(column: number, dictionary: CsvDictionary | undefined): void {
    if (this.cachedDictionaries[column] === dictionary) return;
    const { kernel, words } = this;
    const position = kernel.columns.value / 4 + COLUMN_WORDS * column + 5;
    if (words[position] !== 0)
      words.fill(0, (words[position] as number) / 4, ((words[position] as number) + CACHE_BYTES) / 4);
    else if (this.cacheCount < MAX_CACHED_COLUMNS)
      words[position] = kernel.caches.value + CACHE_BYTES * this.cacheCount++;
    this.cachedDictionaries[column] = dictionary;
  }
}

const module = new WasmModule<Exports>(wasm);

/**
 * Starts a kernel for `columns` columns that scans at most `maxBytes` bytes at a time. Undefined if
 * it can't run (see WasmModule.start); then JavaScript reads everything.
 */
export function startCsvKernel(columns: number, maxBytes: number): CsvKernel | undefined {
  if (columns === 0 || columns > MAX_COLUMNS) return undefined;
  return module.start(exports => new CsvKernel(exports, columns, maxBytes));
}
