import { Pacer } from '../../../base/node/slices';
import { cellNumber, type DecimalMark, missingKind } from '../../csv/csvNumber';
import { MISSING_HIGH } from '../../csv/csvScan';
import type { CodeColumn, Column, NumberColumn, TableSource } from './tableSource';

/** The table that a column is derived from, and belongs to. */
export interface DerivedFrom extends Pick<
  TableSource,
  'columns' | 'rowCount' | 'numbers' | 'residuals' | 'codes'
> {
  /** The decimal mark of the table's file. */
  readonly mark: DecimalMark;
  /** The number in a cell of a numeric column; NaN for none. */
  numberIn(column: number, text: string): number;
}

/**
 * A column that is in no file: each row's value follows from those of other columns in that row.
 * Numbers and codes are computed for all rows, and cached by the table. Texts are computed for a
 * few rows on the screen, and must agree with these.
 */
export interface DerivedColumn {
  readonly column: Omit<Column, 'index'>;
  /** Positions of the columns that it is derived from, which mustn't depend on it. */
  readonly from: readonly number[];
  /** As TableSource.numbers. */
  numbers(table: DerivedFrom, signal?: AbortSignal): Promise<NumberColumn>;
  /** As TableSource.codes; absent if texts are written numbers. */
  codes?(table: DerivedFrom, signal?: AbortSignal): Promise<CodeColumn>;
  /** The texts of rows. `cells`: for each row, the exact texts of the columns in `from`. */
  texts(cells: readonly (readonly string[])[], table: DerivedFrom): string[];
  /**
   * A test for rows whose text is accepted; undefined for none. Absent: codes or numbers are used.
   */
  rowsWith?(
    accepts: (text: string) => boolean,
    table: DerivedFrom,
    signal?: AbortSignal,
  ): Promise<((row: number) => boolean) | undefined>;
}

/** The code of a row without a value, which is that of an empty cell. */
export const EMPTY_CODE = 1;

/** A number as it would be written in the table's file; '' for none. */
export function writtenNumber(number: number, mark: DecimalMark): string {
  if (Number.isNaN(number)) return '';
  return mark === ',' ? String(number).replace('.', ',') : String(number);
}

/** Numbers as codes: one for each distinct number. */
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
    for (let i = 0; i < rowCodes.length; i++) {
      if (i % 4096 === 0 && pacer.isDue) await pacer.pause();
      const number = numbers[i] as number;
      let code = Number.isNaN(number) ? EMPTY_CODE : codeOf.get(number);
      if (code === undefined) {
        code = distinct.push(writtenNumber(number, mark)) - 1;
        codeOf.set(number, code);
      }
      rowCodes[i] = code;
    }
    codes.push(rowCodes);
  }
  return { values: codes, firstRows, texts: textsOf(distinct) };
}

/** Texts by code; the first two codes are of cells without text. */
export function textsOf(distinct: readonly string[]): CodeColumn['texts'] {
  return { size: distinct.length, text: code => distinct[code] ?? '' };
}

/**
 * Texts as numbers. Parses each distinct text once. `missingCodeOf` gives the missing code of texts
 * that aren't numbers.
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
  // By 32-bit words, because a copied NaN may lose how it is missing.
  for (const codes of values) {
    const part = new Float64Array(codes.length);
    const partWords = new Uint32Array(part.buffer);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      partWords[2 * i] = words[2 * code] as number;
      partWords[2 * i + 1] = words[2 * code + 1] as number;
    }
    parts.push(part);
    if (pacer.isDue) await pacer.pause();
  }
  return { values: parts, firstRows };
}

/** Parses a number that a person typed, with the table's decimal mark or the other one. */
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

/** Reads a column in parts by row; fast if a row is near the previous one. `none`: if missing. */
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
