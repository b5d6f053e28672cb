import { Pacer } from '../../../base/node/slices';
import { cellNumber, type DecimalMark, missingKind } from '../../csv/csvNumber';
import { MISSING_HIGH } from '../../csv/csvScan';
import type { CodeColumn, Column, NumberColumn, TableSource } from './tableSource';

/** What a column is made of: the table that it is a column of. */
export interface DerivedFrom extends Pick<
  TableSource,
  'columns' | 'rowCount' | 'numbers' | 'residuals' | 'codes'
> {
  /** The decimal mark of the table's file. */
  readonly mark: DecimalMark;
  /** The number that a cell of a column of numbers says; NaN for none. */
  numberIn(column: number, text: string): number;
}

/**
 * A column that is in no file: a row's value follows from those of other columns in that row.
 * Numbers and codes are computed for all rows, and cached by the table; texts are those of a few
 * rows on the screen, and have to agree.
 */
export interface DerivedColumn {
  readonly column: Omit<Column, 'index'>;
  /** Positions in the table of the columns that it is made of; none of these is made of it. */
  readonly from: readonly number[];
  /** As TableSource.numbers. */
  numbers(table: DerivedFrom, signal?: AbortSignal): Promise<NumberColumn>;
  /** As TableSource.codes; absent where texts are numbers as they are written. */
  codes?(table: DerivedFrom, signal?: AbortSignal): Promise<CodeColumn>;
  /** The texts of rows; `cells` has the exact texts of `from` in each. */
  texts(cells: readonly (readonly string[])[], table: DerivedFrom): string[];
  /** The rows whose text a test accepts, if any. Absent if codes or numbers tell them. */
  rowsWith?(
    accepts: (text: string) => boolean,
    table: DerivedFrom,
    signal?: AbortSignal,
  ): Promise<((row: number) => boolean) | undefined>;
}

/** The code of a row without a value: as of an empty cell. */
export const EMPTY_CODE = 1;

/** A number as it would be written in the table's file; '' for none. */
export function writtenNumber(number: number, mark: DecimalMark): string {
  if (Number.isNaN(number)) return '';
  return mark === ',' ? String(number).replace('.', ',') : String(number);
}

/** Numbers as codes: one for each that is different. */
export async function codesOfNumbers(
  { values, firstRows }: NumberColumn,
  mark: DecimalMark,
  signal?: AbortSignal,
): Promise<CodeColumn> {
  const pacer = new Pacer(signal);
  const distinct = ['', ''];
  const codeOf = new Map<number, number>();
  const codes: Uint32Array[] = [];
  for (const numbers of values) {
    const rowCodes = new Uint32Array(numbers.length);
    for (let at = 0; at < rowCodes.length; at++) {
      if (at % 4096 === 0 && pacer.isDue) await pacer.pause();
      const number = numbers[at] as number;
      let code = Number.isNaN(number) ? EMPTY_CODE : codeOf.get(number);
      if (code === undefined) {
        code = distinct.push(writtenNumber(number, mark)) - 1;
        codeOf.set(number, code);
      }
      rowCodes[at] = code;
    }
    codes.push(rowCodes);
  }
  return { values: codes, firstRows, texts: textsOf(distinct) };
}

/** Texts by their codes; the first two are those of cells without text. */
export function textsOf(distinct: readonly string[]): CodeColumn['texts'] {
  return { size: distinct.length, text: code => distinct[code] ?? '' };
}

/**
 * Texts as numbers, each text read once; `missingCodeOf` says of one without a number how it is
 * missing.
 */
export async function numbersByCode(
  { values, firstRows, texts }: CodeColumn,
  numberOf: (text: string) => number,
  missingCodeOf: (text: string) => number,
  signal?: AbortSignal,
): Promise<NumberColumn> {
  const pacer = new Pacer(signal);
  const numbers = new Float64Array(texts.size);
  const words = new Uint32Array(numbers.buffer);
  for (let code = 0; code < numbers.length; code++) {
    if (code % 256 === 0 && pacer.isDue) await pacer.pause();
    const text = texts.text(code);
    numbers[code] = numberOf(text);
    if (!Number.isNaN(numbers[code])) continue;
    words[2 * code] = missingCodeOf(text);
    words[2 * code + 1] = MISSING_HIGH;
  }
  const parts: Float64Array[] = [];
  // By words: a copied NaN may lose how it is missing.
  for (const codes of values) {
    const part = new Float64Array(codes.length);
    const partWords = new Uint32Array(part.buffer);
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] as number;
      partWords[2 * at] = words[2 * code] as number;
      partWords[2 * at + 1] = words[2 * code + 1] as number;
    }
    parts.push(part);
    if (pacer.isDue) await pacer.pause();
  }
  return { values: parts, firstRows };
}

/** A number with the table's decimal mark, or the other one: a person typed it. */
export function numberIn(value: string, mark: DecimalMark): number {
  const bytes = Buffer.from(value);
  const number = cellNumber(bytes, 0, bytes.length, mark);
  return Number.isNaN(number) ? cellNumber(bytes, 0, bytes.length, mark === '.' ? ',' : '.') : number;
}

/** How a cell is missing; undefined where it isn't. */
export function missingOf(value: string): ReturnType<typeof missingKind> {
  const bytes = Buffer.from(value);
  return missingKind(bytes, 0, bytes.length);
}

/** Finds the value of a row of a column in parts; quick where rows are near that before. */
export function byRow(
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
