import { Pacer } from '../../../base/node/slices';
import type { AddedColumns } from '../../tableSummary';
import { cellNumber, type DecimalMark, missingKind } from '../../csv/csvNumber';
import { MISSING_CODES, MISSING_HIGH } from '../../csv/csvScan';
import type { RowsHolding } from './rowsHolding';
import {
  type CellTexts,
  type CodeColumn,
  type Column,
  type Kept,
  type KeptValues,
  type NumberColumn,
  type TableSource,
} from './tableSource';

/** The code of a row without a value: as of an empty cell. */
const EMPTY_CODE = 1;

/** A column that is in no file. */
interface ColumnOfKeys {
  name: string;
  kind: 'number' | 'text';
  /** The value of each text of the key column that has one. */
  valueOf: ReadonlyMap<string, string>;
}

/** A column with the numbers of another one in another unit. */
interface ConvertedColumn {
  name: string;
  kind: 'number';
  /** Position in the base of the column that it converts. */
  of: number;
  /** What numbers are multiplied by, of each text of the key column for which that is known. */
  factorOf: ReadonlyMap<string, number>;
}

type AddedColumn = ColumnOfKeys | ConvertedColumn;

/**
 * A table with further columns that are in no file: a row has the value that belongs to its text in a key column, such as what
 * is known of its image. Values are stored once for each of these texts, and looked up by their codes. Or it has the number of another
 * column in another unit, by a factor that belongs to that text.
 *
 * Added columns follow those that the file had then; columns that rows with too many cells add later follow them, so that no
 * column changes its place.
 */
export class ExtendedTable implements TableSource {
  private added: AddedColumn[] = [];
  private keyColumn = -1;
  /** Columns of the base that stand before the added ones. */
  private before = 0;
  /** How often the added columns were set: what was computed of others isn't used again. */
  private version = 0;
  private known: readonly Column[] | undefined;

  constructor(
    readonly base: TableSource & { readonly isComplete?: boolean; readonly decimalComma?: boolean },
  ) {}

  /** Replaces the added columns. */
  set({ keyColumn, keys, columns, converted = [] }: AddedColumns): void {
    this.version++;
    this.keyColumn = keyColumn;
    if (this.added.length === 0) this.before = this.base.columns.length;
    const mark = this.base.decimalComma === true ? ',' : '.';
    const ofKeys = columns.map(({ name, values }): AddedColumn => {
      const valueOf = new Map<string, string>();
      keys.forEach((key, at) => {
        const value = values[at] ?? '';
        if (value !== '') valueOf.set(key, value);
      });
      return { name, kind: kindOf(new Set(valueOf.values()), mark), valueOf };
    });
    const inUnits = converted.map(({ name, of, factors }): AddedColumn => {
      const known = keys.flatMap((key, at): [string, number][] => {
        const factor = factors[at] ?? null;
        return factor === null ? [] : [[key, factor]];
      });
      return { name, kind: 'number', of, factorOf: new Map(known) };
    });
    this.added = [...ofKeys, ...inUnits];
    this.known = undefined;
  }

  get columns(): readonly Column[] {
    const { columns } = this.base;
    if (this.added.length === 0) return columns;
    // While rows are read, kinds of columns change, and columns are added.
    if (this.known) return this.known;
    const count = this.added.length;
    const all = [
      ...columns.slice(0, this.before),
      ...this.added.map((column, at): Column => ({
        index: this.before + at,
        name: column.name,
        kind: column.kind,
        ...('of' in column ? { converted: { of: column.of } } : { ofImage: true }),
      })),
      ...columns.slice(this.before).map(column => ({ ...column, index: column.index + count })),
    ];
    if (this.base.isComplete !== false) this.known = all;
    return all;
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

  get kept(): Pick<KeptValues, 'get' | 'hold'> {
    const { version } = this;
    if (version === 0) return this.base.kept;
    const named = (key: string) => `${version} ${key}`;
    return {
      get: <T>(kept: Kept<T>, signal?: AbortSignal) =>
        this.base.kept.get({ ...kept, key: named(kept.key) }, signal),
      hold: keys => this.base.kept.hold(keys.map(named)),
    };
  }

  async numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    const added = this.addedAt(column);
    if (!added) return this.base.numbers(this.baseAt(column), signal);
    if ('of' in added) return this.convertedNumbers(column, added, signal);
    return this.kept.get(
      {
        key: `numbers ${column} ${this.rowCount}`,
        make: async shared => {
          const { values, firstRows, texts } = await this.base.codes(this.keyColumn, shared);
          const pacer = new Pacer(shared);
          const numberOf = new Float64Array(texts.size);
          const words = new Uint32Array(numberOf.buffer);
          const mark = this.base.decimalComma === true ? ',' : '.';
          for (let code = 0; code < numberOf.length; code++) {
            if (code % 256 === 0 && pacer.isDue) await pacer.pause();
            const value = added.valueOf.get(texts.text(code));
            numberOf[code] = value === undefined ? NaN : numberIn(value, mark);
            if (!Number.isNaN(numberOf[code])) continue;
            words[2 * code] =
              value === undefined ? MISSING_CODES.empty : MISSING_CODES[missingOf(value) ?? 'other'];
            words[2 * code + 1] = MISSING_HIGH;
          }
          const numbers: Float64Array[] = [];
          // By words: a NaN that says why it is missing has to stay as it is.
          for (const codes of values) {
            const part = new Float64Array(codes.length);
            const partWords = new Uint32Array(part.buffer);
            for (let at = 0; at < codes.length; at++) {
              const code = codes[at] as number;
              partWords[2 * at] = words[2 * code] as number;
              partWords[2 * at + 1] = words[2 * code + 1] as number;
            }
            numbers.push(part);
            if (pacer.isDue) await pacer.pause();
          }
          return { values: numbers, firstRows };
        },
        bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
      },
      signal,
    );
  }

  async rests(column: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    // Integers that doubles round make a column of text.
    return this.addedAt(column) ? [] : this.base.rests(this.baseAt(column), signal);
  }

  async codes(column: number, signal?: AbortSignal): Promise<CodeColumn> {
    const added = this.addedAt(column);
    if (!added) return this.base.codes(this.baseAt(column), signal);
    if ('of' in added) return this.convertedCodes(column, signal);
    return this.kept.get(
      {
        key: `codes ${column} ${this.rowCount}`,
        make: async shared => {
          const { values, firstRows, texts } = await this.base.codes(this.keyColumn, shared);
          const pacer = new Pacer(shared);
          const distinct = ['', ''];
          const codeOfText = new Map<string, number>();
          const codeOf = new Uint32Array(texts.size);
          for (let code = 0; code < codeOf.length; code++) {
            if (code % 256 === 0 && pacer.isDue) await pacer.pause();
            const value = added.valueOf.get(texts.text(code));
            let own = value === undefined ? EMPTY_CODE : codeOfText.get(value);
            if (value !== undefined && own === undefined) {
              own = distinct.push(value) - 1;
              codeOfText.set(value, own);
            }
            codeOf[code] = own ?? EMPTY_CODE;
          }
          // Of one piece, so that those who need all rows need no copy.
          const whole = new Uint32Array(values.reduce((sum, part) => sum + part.length, 0));
          const codes: Uint32Array[] = [];
          let end = 0;
          for (const part of values) {
            const own = whole.subarray(end, (end += part.length));
            for (let at = 0; at < part.length; at++) own[at] = codeOf[part[at] as number] as number;
            codes.push(own);
            if (pacer.isDue) await pacer.pause();
          }
          return {
            values: codes,
            firstRows,
            texts: { size: distinct.length, text: (code: number) => distinct[code] ?? '' },
          };
        },
        bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
      },
      signal,
    );
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const places = columns.map(column => ({ column: this.baseAt(column), added: this.addedAt(column) }));
    if (places.every(({ added }) => !added))
      return this.base.cells(
        rows,
        places.map(({ column }) => column),
        limit,
      );
    const read = [...new Set(places.flatMap(({ column, added }) => (added ? [] : [column])))];
    const placeOf = new Map(read.map((column, at) => [column, at]));
    const found = this.base.cells(rows, read, limit);
    // What values follow from is read whole, the key first.
    const sources = [
      ...new Set([
        this.keyColumn,
        ...places.flatMap(({ added }) => (added && 'of' in added ? [added.of] : [])),
      ]),
    ];
    const whole = this.base.cells(rows, sources, Infinity).rows;
    const outer = new Map<number, number>();
    places.forEach(({ column, added }, at) => {
      if (!added) outer.set(placeOf.get(column) ?? -1, at);
    });
    return {
      rows: found.rows.map((cells, row) => {
        const [key = ''] = whole[row] ?? [];
        return places.map(({ column, added }) => {
          if (!added) return cells[placeOf.get(column) ?? -1] ?? '';
          if (!('of' in added)) return added.valueOf.get(key) ?? '';
          return this.convertedText(whole[row]?.[sources.indexOf(added.of)] ?? '', added.factorOf.get(key));
        });
      }),
      cut: found.cut.map(([row, cell]) => [row, outer.get(cell) ?? 0]),
      ragged: found.ragged,
    };
  }

  async rowsHolding(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<RowsHolding> {
    const holding = await this.base.rowsHolding(text, caseSensitive, signal);
    const plain = (word: string) => (caseSensitive ? word : word.toLowerCase());
    const wanted = plain(text);
    const keys = new Set<string>();
    const converted: ((row: number) => number)[] = [];
    for (const [at, added] of this.added.entries()) {
      if ('of' in added) converted.push(byRow(await this.numbers(this.before + at, signal), NaN));
      else for (const [key, value] of added.valueOf) if (plain(value).includes(wanted)) keys.add(key);
    }
    // Only what may be part of a number is sought among numbers.
    const isNumeric = /^[\d.,+eE\-infty]+$/i.test(wanted);
    const holdsNumber = (row: number) =>
      isNumeric && converted.some(numberAt => plain(this.textOf(numberAt(row))).includes(wanted));
    if (keys.size === 0)
      return converted.length === 0 || !isNumeric
        ? holding
        : { mayHold: row => holding.mayHold(row) || holdsNumber(row) };
    const { values, firstRows, texts } = await this.base.codes(this.keyColumn, signal);
    const isWanted = Uint8Array.from({ length: texts.size }, (_, code) => Number(keys.has(texts.text(code))));
    const codeAt = byRow({ values, firstRows }, 0);
    return {
      mayHold: row => isWanted[codeAt(row)] === 1 || holding.mayHold(row) || holdsNumber(row),
    };
  }

  private convertedNumbers(
    column: number,
    { of, factorOf }: ConvertedColumn,
    signal: AbortSignal | undefined,
  ): Promise<NumberColumn> {
    return this.kept.get(
      {
        key: `numbers ${column} ${this.rowCount}`,
        make: async shared => {
          const { values, firstRows } = await this.base.numbers(of, shared);
          const keys = await this.base.codes(this.keyColumn, shared);
          const factors = Float64Array.from({ length: keys.texts.size }, (_, code) => {
            return factorOf.get(keys.texts.text(code)) ?? NaN;
          });
          const codeAt = byRow(keys, 0);
          const pacer = new Pacer(shared);
          const numbers: Float64Array[] = [];
          for (const [part, numbersOf] of values.entries()) {
            // A copy of the words: a NaN says why it is missing.
            const own = numbersOf.slice();
            const words = new Uint32Array(own.buffer);
            const first = firstRows[part] ?? 0;
            for (let at = 0; at < own.length; at++) {
              const number = own[at] as number;
              if (Number.isNaN(number)) continue;
              const factor = factors[codeAt(first + at)] as number;
              if (!Number.isNaN(factor)) {
                own[at] = convertedNumber(number, factor);
                continue;
              }
              words[2 * at] = MISSING_CODES.empty;
              words[2 * at + 1] = MISSING_HIGH;
            }
            numbers.push(own);
            if (pacer.isDue) await pacer.pause();
          }
          return { values: numbers, firstRows };
        },
        bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
      },
      signal,
    );
  }

  private convertedCodes(column: number, signal: AbortSignal | undefined): Promise<CodeColumn> {
    return this.kept.get(
      {
        key: `codes ${column} ${this.rowCount}`,
        make: async shared => {
          const { values, firstRows } = await this.numbers(column, shared);
          const pacer = new Pacer(shared);
          const distinct = ['', ''];
          const codeOf = new Map<number, number>();
          const codes: Uint32Array[] = [];
          for (const numbers of values) {
            const own = new Uint32Array(numbers.length);
            for (let at = 0; at < own.length; at++) {
              const number = numbers[at] as number;
              let code = Number.isNaN(number) ? EMPTY_CODE : codeOf.get(number);
              if (code === undefined) {
                code = distinct.push(this.textOf(number)) - 1;
                codeOf.set(number, code);
              }
              own[at] = code;
            }
            codes.push(own);
            if (pacer.isDue) await pacer.pause();
          }
          const texts = { size: distinct.length, text: (code: number) => distinct[code] ?? '' };
          return { values: codes, firstRows, texts };
        },
        bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
      },
      signal,
    );
  }

  /** The text of a converted number; of a cell without a number its own, and none where the factor isn't known. */
  private convertedText(text: string, factor: number | undefined): string {
    const bytes = Buffer.from(text);
    const number = cellNumber(bytes, 0, bytes.length, this.base.decimalComma === true ? ',' : '.');
    if (Number.isNaN(number)) return text;
    return factor === undefined ? '' : this.textOf(convertedNumber(number, factor));
  }

  /** As it would be written in the file. */
  private textOf(number: number): string {
    if (Number.isNaN(number)) return '';
    return this.base.decimalComma === true ? String(number).replace('.', ',') : String(number);
  }

  private addedAt(column: number): AddedColumn | undefined {
    return column < this.before ? undefined : this.added[column - this.before];
  }

  /** The base's column of one that isn't added. */
  private baseAt(column: number): number {
    return this.added.length === 0 || column < this.before ? column : column - this.added.length;
  }
}

/** As in a file: numbers where each value is one, or a word for none. Integers that doubles round stay texts. */
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

/** With the table's decimal mark, or the other one: a person typed it. */
function numberIn(value: string, mark: DecimalMark): number {
  const bytes = Buffer.from(value);
  const number = cellNumber(bytes, 0, bytes.length, mark);
  return Number.isNaN(number) ? cellNumber(bytes, 0, bytes.length, mark === '.' ? ',' : '.') : number;
}

function missingOf(value: string): ReturnType<typeof missingKind> {
  const bytes = Buffer.from(value);
  return missingKind(bytes, 0, bytes.length);
}

/** Digits that the product of two decimals of some digits has for certain; further ones are of how doubles are stored. */
const DIGITS = 12;

/** A number in another unit, as its text says it: the number that is computed with is that which is shown. */
function convertedNumber(number: number, factor: number): number {
  return Number((number * factor).toPrecision(DIGITS));
}

/** Finds the value of a row of a column in parts; quick where rows are near that before. */
function byRow(
  { values, firstRows }: { values: readonly ArrayLike<number>[]; firstRows: readonly number[] },
  none: number,
): (row: number) => number {
  let part = 0;
  return row => {
    while (part > 0 && (firstRows[part] ?? 0) > row) part--;
    while (part + 1 < firstRows.length && (firstRows[part + 1] ?? 0) <= row) part++;
    return values[part]?.[row - (firstRows[part] ?? 0)] ?? none;
  };
}
