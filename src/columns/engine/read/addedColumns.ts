import { Pacer } from '../../../base/node/slices';
import { cellNumber, type DecimalMark } from '../../csv/csvNumber';
import { MISSING_CODES, MISSING_HIGH } from '../../csv/csvScan';
import type { AddedColumns } from '../../tableSummary';
import {
  byRow,
  codesOfNumbers,
  type DerivedColumn,
  type DerivedFrom,
  EMPTY_CODE,
  missingOf,
  numberIn,
  numbersByCode,
  textsOf,
  writtenNumber,
} from './derivedColumn';
import type { CandidateRows } from './candidateRows';
import type {
  CellTexts,
  CodeColumn,
  Column,
  CachedValue,
  ValueCache,
  NumberColumn,
  TableSource,
} from './tableSource';

/** Derives columns from those of a table. Must always return the same number of columns. */
export type DeriveColumns = (columns: readonly Column[]) => readonly DerivedColumn[];

/**
 * A table with further columns that are in no file: facts of each row's image, measures in another
 * unit, and columns derived from all these. Added columns follow the columns that the file had at
 * that time. Columns that long rows add later follow the added ones, so that no column moves.
 */
export class ExtendedTable implements TableSource, DerivedFrom {
  /** The added columns that are made from columns of the file. */
  private fromFile: readonly DerivedColumn[] = [];
  private derive: DeriveColumns | undefined;
  /** Number of columns of the base before the added ones. */
  private baseCount = 0;
  private isExtended = false;
  /** Number of times that added columns were set: values cached before aren't used again. */
  private version = 0;
  private cachedColumns:
    | { columns: readonly Column[]; added: readonly DerivedColumn[]; kinds: string }
    | undefined;

  constructor(
    readonly base: TableSource & { readonly isComplete?: boolean; readonly decimalComma?: boolean },
  ) {}

  /** Replaces the facts of images, and measures in other units. */
  set({ keyColumn, keys, columns, converted = [] }: AddedColumns): void {
    this.extend();
    this.fromFile = [
      ...columns.map(
        ({ values, ...named }) => new ColumnOfKeys(named, keyColumn, valuesOf(keys, values), this.mark),
      ),
      ...converted.map(({ name, of, factors }) => {
        const knownFactors = keys.flatMap((key, index): [string, number][] => {
          const factor = factors[index] ?? null;
          return factor === null ? [] : [[key, factor]];
        });
        return new ConvertedColumn(name, of, keyColumn, new Map(knownFactors));
      }),
    ];
  }

  /**
   * Replaces the columns that are derived from all others. There is only one set of these: with
   * two, columns of the second could use those of the first, but not the other way round.
   */
  setDerived(derive: DeriveColumns): void {
    this.extend();
    this.derive = derive;
  }

  get columns(): readonly Column[] {
    return this.isExtended ? this.withAdded.columns : this.base.columns;
  }

  get mark(): DecimalMark {
    return this.base.decimalComma === true ? ',' : '.';
  }

  get rowCount(): number {
    return this.base.rowCount;
  }

  get paths(): readonly string[] {
    return this.base.paths;
  }

  get delimiter(): string {
    return this.base.delimiter;
  }

  get hasByteOrderMark(): boolean {
    return this.base.hasByteOrderMark;
  }

  get cache(): Pick<ValueCache, 'get' | 'hold'> {
    const { version } = this;
    if (version === 0) return this.base.cache;
    const versionedKey = (key: string) => `${version} ${key}`;
    return {
      get: <T>(entry: CachedValue<T>, signal?: AbortSignal) =>
        this.base.cache.get({ ...entry, key: versionedKey(entry.key) }, signal),
      hold: keys => this.base.cache.hold(keys.map(versionedKey)),
    };
  }

  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    const added = this.addedAt(column);
    if (!added) return this.base.numbers(this.baseAt(column), signal);
    return this.cache.get(
      {
        key: `numbers ${column} ${this.rowCount}`,
        make: shared => added.numbers(this, shared),
        bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
      },
      signal,
    );
  }

  async residuals(column: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    // A column with integers that doubles round is text.
    return this.addedAt(column) ? [] : this.base.residuals(this.baseAt(column), signal);
  }

  codes(column: number, signal?: AbortSignal): Promise<CodeColumn> {
    const added = this.addedAt(column);
    if (!added) return this.base.codes(this.baseAt(column), signal);
    return this.cache.get(
      {
        key: `codes ${column} ${this.rowCount}`,
        make: async shared =>
          added.codes?.(this, shared) ??
          codesOfNumbers(await this.numbers(column, shared), this.mark, shared),
        bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
      },
      signal,
    );
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const sources = columns.map(column => ({ column: this.baseAt(column), added: this.addedAt(column) }));
    const baseColumns = [...new Set(sources.flatMap(({ column, added }) => (added ? [] : [column])))];
    const texts = this.base.cells(rows, baseColumns, limit);
    const derived = [...new Set(sources.flatMap(({ added }) => added ?? []))];
    if (derived.length === 0 && baseColumns.length === columns.length) return texts;
    // The cells that values are derived from are read whole.
    const from = [...new Set(derived.flatMap(added => added.from))];
    const whole = from.length === 0 ? [] : this.cells(rows, from, Infinity).rows;
    const textsOfAdded = new Map(
      derived.map(added => {
        const position = added.from.map(column => from.indexOf(column));
        const cells = Array.from(rows, (_, row) => position.map(cell => whole[row]?.[cell] ?? ''));
        return [added, added.texts(cells, this)];
      }),
    );
    const cellOf = new Map(baseColumns.map((column, index) => [column, index]));
    const positionOfCell = new Map<number, number>();
    sources.forEach(({ column, added }, index) => {
      if (!added) positionOfCell.set(cellOf.get(column) ?? -1, index);
    });
    return {
      rows: texts.rows.map((cells, row) =>
        sources.map(
          ({ column, added }) =>
            (added ? textsOfAdded.get(added)?.[row] : cells[cellOf.get(column) ?? -1]) ?? '',
        ),
      ),
      cut: texts.cut.map(([row, cell]) => [row, positionOfCell.get(cell) ?? 0]),
      ragged: texts.ragged,
    };
  }

  async candidateRows(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<CandidateRows> {
    const candidates = await this.base.candidateRows(text, caseSensitive, signal);
    const plain = (word: string) => (caseSensitive ? word : word.toLowerCase());
    const plainText = plain(text);
    const accepts = (word: string) => plain(word).includes(plainText);
    const added: ((row: number) => boolean)[] = [];
    for (const { index } of this.columns) {
      const contains = await this.rowsWith(index, plainText, accepts, signal);
      if (contains) added.push(contains);
    }
    if (added.length === 0) return candidates;
    return { isCandidate: row => candidates.isCandidate(row) || added.some(isAdded => isAdded(row)) };
  }

  numberIn(column: number, text: string): number {
    if (this.addedAt(column)) return numberIn(text, this.mark);
    const bytes = Buffer.from(text);
    return cellNumber(bytes, 0, bytes.length, this.mark);
  }

  /** A test for rows whose text in an added column is accepted; undefined for no rows. */
  private async rowsWith(
    column: number,
    searchedText: string,
    accepts: (text: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<((row: number) => boolean) | undefined> {
    const added = this.addedAt(column);
    if (!added) return undefined;
    if (added.rowsWith) return added.rowsWith(accepts, this, signal);
    if (added.codes) return rowsWithCodes(await this.codes(column, signal), accepts);
    // A text that can't be part of a number isn't searched for among numbers.
    if (!/^[\d.,+eE\-infty]+$/i.test(searchedText)) return undefined;
    const numberAt = byRow(await this.numbers(column, signal), NaN);
    return row => accepts(writtenNumber(numberAt(row), this.mark));
  }

  /** Call when added columns change. */
  private extend(): void {
    if (!this.isExtended) this.baseCount = this.base.columns.length;
    this.isExtended = true;
    this.version++;
    this.cachedColumns = undefined;
  }

  /** All columns, and the added ones. Both may change while rows are read. */
  private get withAdded(): { columns: readonly Column[]; added: readonly DerivedColumn[] } {
    const { columns, isComplete } = this.base;
    const kinds = isComplete === false ? columns.map(({ kind }) => kind).join() : '';
    if (this.cachedColumns?.kinds === kinds) return this.cachedColumns;
    const all = columns.slice(0, this.baseCount);
    const add = ({ column }: DerivedColumn) => all.push({ index: all.length, ...column });
    this.fromFile.forEach(add);
    const derived = this.derive?.([...all]) ?? [];
    derived.forEach(add);
    const count = all.length - this.baseCount;
    for (const column of columns.slice(this.baseCount)) all.push({ ...column, index: column.index + count });
    this.cachedColumns = { columns: all, added: [...this.fromFile, ...derived], kinds };
    return this.cachedColumns;
  }

  private addedAt(column: number): DerivedColumn | undefined {
    if (!this.isExtended || column < this.baseCount) return undefined;
    return this.withAdded.added[column - this.baseCount];
  }

  /** The position in the base of a column that isn't added. */
  private baseAt(column: number): number {
    if (!this.isExtended || column < this.baseCount) return column;
    return column - this.withAdded.added.length;
  }
}

/** Values by key, without empty ones. */
function valuesOf(keys: readonly string[], values: readonly string[]): Map<string, string> {
  const valueOf = new Map<string, string>();
  keys.forEach((key, index) => {
    const value = values[index] ?? '';
    if (value !== '') valueOf.set(key, value);
  });
  return valueOf;
}

/**
 * A column whose values are given by the text in a key column, such as facts of a row's image.
 * Values are stored once per text and looked up by code.
 */
class ColumnOfKeys implements DerivedColumn {
  readonly column: DerivedColumn['column'];
  readonly from: readonly number[];

  constructor(
    named: { name: string; id?: string },
    private readonly keyColumn: number,
    private readonly valueOf: ReadonlyMap<string, string>,
    mark: DecimalMark,
  ) {
    this.column = { ...named, kind: kindOf(new Set(valueOf.values()), mark), ofImage: true };
    this.from = [keyColumn];
  }

  async numbers(table: DerivedFrom, signal?: AbortSignal): Promise<NumberColumn> {
    const keys = await table.codes(this.keyColumn, signal);
    const numberOf = (key: string) => numberIn(this.valueOf.get(key) ?? '', table.mark);
    const missingCodeOf = (key: string) => {
      const value = this.valueOf.get(key);
      return value === undefined ? MISSING_CODES.empty : MISSING_CODES[missingOf(value) ?? 'other'];
    };
    return numbersByCode(keys, numberOf, missingCodeOf, signal);
  }

  async codes(table: DerivedFrom, signal?: AbortSignal): Promise<CodeColumn> {
    const { values, firstRows, texts } = await table.codes(this.keyColumn, signal);
    const pacer = new Pacer(signal);
    const distinct = ['', ''];
    const codeOfText = new Map<string, number>();
    const codeOf = new Uint32Array(texts.size);
    for (let code = 0; code < codeOf.length; code++) {
      if (code % 256 === 0 && pacer.isDue) await pacer.pause();
      const value = this.valueOf.get(texts.text(code));
      let valueCode = value === undefined ? EMPTY_CODE : codeOfText.get(value);
      if (value !== undefined && valueCode === undefined) {
        valueCode = distinct.push(value) - 1;
        codeOfText.set(value, valueCode);
      }
      codeOf[code] = valueCode ?? EMPTY_CODE;
    }
    // In one array, so that callers that need all rows need no copy.
    const whole = new Uint32Array(values.reduce((sum, part) => sum + part.length, 0));
    const codes: Uint32Array[] = [];
    let end = 0;
    for (const part of values) {
      const partCodes = whole.subarray(end, (end += part.length));
      for (let i = 0; i < part.length; i++) partCodes[i] = codeOf[part[i] as number] as number;
      codes.push(partCodes);
      if (pacer.isDue) await pacer.pause();
    }
    return { values: codes, firstRows, texts: textsOf(distinct) };
  }

  texts(cells: readonly (readonly string[])[]): string[] {
    return cells.map(([key = '']) => this.valueOf.get(key) ?? '');
  }

  /** Tests the values of keys, so that only the codes of the key column are needed. */
  async rowsWith(
    accepts: (text: string) => boolean,
    table: DerivedFrom,
    signal?: AbortSignal,
  ): Promise<((row: number) => boolean) | undefined> {
    const keys = new Set([...this.valueOf].flatMap(([key, value]) => (accepts(value) ? [key] : [])));
    if (keys.size === 0) return undefined;
    return rowsWithCodes(await table.codes(this.keyColumn, signal), key => keys.has(key));
  }
}

/** Another column's numbers in another unit, by a factor of each text in a key column. */
class ConvertedColumn implements DerivedColumn {
  readonly column: DerivedColumn['column'];
  readonly from: readonly number[];

  constructor(
    name: string,
    private readonly sourceColumn: number,
    private readonly keyColumn: number,
    /** By key; absent if unknown. */
    private readonly factorOf: ReadonlyMap<string, number>,
  ) {
    this.column = { name, kind: 'number', converted: { of: sourceColumn } };
    this.from = [sourceColumn, keyColumn];
  }

  async numbers(table: DerivedFrom, signal?: AbortSignal): Promise<NumberColumn> {
    const { values, firstRows } = await table.numbers(this.sourceColumn, signal);
    const keys = await table.codes(this.keyColumn, signal);
    const factors = Float64Array.from({ length: keys.texts.size }, (_, code) => {
      return this.factorOf.get(keys.texts.text(code)) ?? NaN;
    });
    const codeAt = byRow(keys, 0);
    const pacer = new Pacer(signal);
    const numbers: Float64Array[] = [];
    for (const [part, numbersOf] of values.entries()) {
      // A copy, which keeps the words of NaN: they say how a number is missing.
      const converted = numbersOf.slice();
      const words = new Uint32Array(converted.buffer);
      const first = firstRows[part] ?? 0;
      for (let i = 0; i < converted.length; i++) {
        const number = converted[i] as number;
        if (Number.isNaN(number)) continue;
        const factor = factors[codeAt(first + i)] as number;
        if (!Number.isNaN(factor)) {
          converted[i] = convertedNumber(number, factor);
          continue;
        }
        words[2 * i] = MISSING_CODES.empty;
        words[2 * i + 1] = MISSING_HIGH;
      }
      numbers.push(converted);
      if (pacer.isDue) await pacer.pause();
    }
    return { values: numbers, firstRows };
  }

  /** Cells without a number keep their text; rows without a factor have none. */
  texts(cells: readonly (readonly string[])[], table: DerivedFrom): string[] {
    return cells.map(([text = '', key = '']) => {
      const number = table.numberIn(this.sourceColumn, text);
      if (Number.isNaN(number)) return text;
      const factor = this.factorOf.get(key);
      return factor === undefined ? '' : writtenNumber(convertedNumber(number, factor), table.mark);
    });
  }
}

/** A test for rows with a code whose text is accepted. */
function rowsWithCodes(
  { values, firstRows, texts }: CodeColumn,
  accepts: (text: string) => boolean,
): (row: number) => boolean {
  const isWanted = Uint8Array.from({ length: texts.size }, (_, code) => Number(accepts(texts.text(code))));
  const codeAt = byRow({ values, firstRows }, 0);
  return row => isWanted[codeAt(row)] === 1;
}

/** The kind, as in a file: numbers if all values are numbers or missing, and none is rounded. */
function kindOf(values: ReadonlySet<string>, mark: DecimalMark): 'number' | 'text' {
  let isAnyNumber = false;
  for (const value of values) {
    const number = numberIn(value, mark);
    if (Number.isInteger(number) && !Number.isSafeInteger(number)) return 'text';
    if (!Number.isNaN(number)) isAnyNumber = true;
    else if (missingOf(value) === undefined) return 'text';
  }
  return isAnyNumber ? 'number' : 'text';
}

/** Digits of a product of two decimals that rounding to doubles doesn't affect. */
const RELIABLE_DIGITS = 12;

/** A number in another unit, rounded as in its text: computations use the number that is shown. */
function convertedNumber(number: number, factor: number): number {
  return Number((number * factor).toPrecision(RELIABLE_DIGITS));
}
