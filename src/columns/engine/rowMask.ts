import type { RE2JS, RE2JSSyntaxException } from 're2js';
import { CodedError } from '../../base/errors';
import { eachPart, Pacer } from '../../base/node/slices';
import { quoted } from '../../base/reasons';
import { residualsOf } from '../csv/csvNumber';
import type { ColumnFilter, Filter, RangeEnd } from '../viewSpec';
import {
  type Column,
  type ColumnSource,
  FIRST_TEXT,
  gatherNumbers,
  gatherResiduals,
} from './read/tableSource';

const EMPTY_CODES = [0, 1];
/** Texts to test between two checks of the clock. A long text counts as many. */
const TEXTS_TOGETHER = 64;
const LONG_TEXT_LENGTH = 1000;

/**
 * 1 for each of `count` rows that matches the filter, else 0. Throws `bad-request`, `cancelled`.
 */
export async function rowMask(
  table: ColumnSource,
  filter: ColumnFilter,
  count: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const column = table.columns[filter.column];
  if (!column) throw new CodedError('bad-request', `There is no column ${filter.column}`);
  const mask = new Uint8Array(count);
  switch (filter.kind) {
    case 'range':
      if (column.isRounded || typeof filter.from === 'string' || typeof filter.to === 'string')
        return integerRangeMask(table, filter, count, signal);
      await eachNumber(table, filter.column, count, signal, (values, first) => {
        const from = Number(filter.from ?? -Infinity);
        const to = Number(filter.to ?? Infinity);
        for (let i = 0; i < values.length; i++) {
          const value = values[i] as number;
          // Without a branch: the processor can't predict which rows match, and a wrong guess costs
          // more than both tests.
          mask[first + i] = Number(value >= from) & Number(value <= to);
        }
      });
      return mask;
    case 'missing':
      if (column.kind === 'number')
        await eachNumber(table, filter.column, count, signal, (values, first) => {
          for (let i = 0; i < values.length; i++)
            mask[first + i] = Number(Number.isNaN(values[i]) === filter.missing);
        });
      else {
        const test = { matches: () => !filter.missing, missing: filter.missing };
        await testByCode(table, filter.column, mask, test, signal);
      }
      return mask;
    case 'values': {
      const listedValues = new Set(filter.values);
      const isWanted = filter.exclude !== true;
      const missing = (filter.missing === true) === isWanted;
      const matches = (text: string) => listedValues.has(text) === isWanted;
      await testByText(table, column, mask, { matches, missing }, signal);
      return mask;
    }
    case 'text': {
      const isMatch = await textMatcher(filter.match, filter.text, filter.caseSensitive === true);
      const isWanted = filter.exclude !== true;
      const matches = (text: string) => isMatch(text) === isWanted;
      await testByText(table, column, mask, { matches, missing: !isWanted }, signal);
      return mask;
    }
  }
}

/** A test of cells by their texts. All missing cells have the same result. */
interface CellTest {
  matches: (text: string) => boolean;
  missing: boolean;
}

async function testByText(
  table: ColumnSource,
  { index, kind }: Column,
  mask: Uint8Array,
  test: CellTest,
  signal: AbortSignal | undefined,
): Promise<void> {
  await testByCode(table, index, mask, test, signal);
  if (kind === 'text') return;
  // Words such as NA are text to the dictionary and missing in a column of numbers.
  await eachNumber(table, index, mask.length, signal, (values, first) => {
    for (let i = 0; i < values.length; i++)
      if (Number.isNaN(values[i])) mask[first + i] = test.missing ? 1 : 0;
  });
}

/** Tests each distinct text once, then looks up the result of each row by its code. */
async function testByCode(
  table: ColumnSource,
  column: number,
  mask: Uint8Array,
  { matches, missing }: CellTest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { values, firstRows, texts } = await table.codes(column, signal);
  const pacer = new Pacer(signal);
  const results = new Uint8Array(texts.size);
  for (const code of EMPTY_CODES) results[code] = missing ? 1 : 0;
  for (let code = FIRST_TEXT; code < results.length; code++) {
    const text = texts.text(code);
    if ((code % TEXTS_TOGETHER === 0 || text.length > LONG_TEXT_LENGTH) && pacer.isDue) await pacer.pause();
    results[code] = matches(text) ? 1 : 0;
  }
  for (let part = 0; part < values.length; part++) {
    const codes = values[part] as Uint32Array;
    const first = firstRows[part] ?? 0;
    for (let i = 0; i < codes.length; i++) mask[first + i] = results[codes[i] as number] as number;
    if (pacer.isDue) await pacer.pause();
  }
}

async function eachNumber(
  table: ColumnSource,
  column: number,
  count: number,
  signal: AbortSignal | undefined,
  visit: (values: Float64Array, first: number) => void,
): Promise<void> {
  const { values, firstRows } = await table.numbers(column, signal);
  const pacer = new Pacer(signal);
  for (let part = 0; part < values.length; part++) {
    const first = firstRows[part] ?? 0;
    if (first >= count) break;
    visit(values[part] as Float64Array, first);
    if (pacer.isDue) await pacer.pause();
  }
}

/** Integers with no more digits than the greatest double allows. */
const INTEGER = /^-?\d{1,308}$/;

/**
 * Rows whose number is in a range, if the column or an end of the range has integers that doubles
 * round. Compares numbers with their residuals. Throws `bad-request` for an end that isn't an
 * integer, `cancelled`.
 */
async function integerRangeMask(
  table: ColumnSource,
  { column, from, to }: Extract<Filter, { kind: 'range' }>,
  count: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const low = doublesOf(from ?? -Infinity);
  const high = doublesOf(to ?? Infinity);
  const subset = { rows: undefined, count };
  const numbers = await gatherNumbers(table, column, subset, signal);
  const residuals = await gatherResiduals(table, column, subset, signal);
  const partCount = Math.max(residuals.length + 1, low.length, high.length);
  const columns = Array.from({ length: partCount }, (_, index) =>
    index === 0 ? numbers : residuals[index - 1],
  );
  /** Below 0 where a row's integer is less than an end, above 0 where it is greater. */
  const compare = (row: number, end: readonly number[]) => {
    for (let part = 0; part < partCount; part++) {
      const value = columns[part]?.[row] ?? 0;
      const other = end[part] ?? 0;
      // NaN where the cell is missing, which is neither less nor greater.
      if (value !== other) return value - other;
    }
    return 0;
  };
  const mask = new Uint8Array(count);
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let row = start; row < end; row++)
      mask[row] = Number(compare(row, low) >= 0 && compare(row, high) <= 0);
  });
  return mask;
}

/** The double nearest to an end of a range, and its residuals. */
function doublesOf(end: RangeEnd): readonly number[] {
  if (typeof end === 'number') return [end];
  if (!INTEGER.test(end)) throw new CodedError('bad-request', `"${end}" is not an integer`);
  const integer = BigInt(end);
  const value = Number(integer);
  return [value, ...residualsOf(integer, value)];
}

/** A text filter's test. Regular expressions are RE2, in linear time. Throws `bad-request`. */
async function textMatcher(
  match: 'contains' | 'equals' | 'regex',
  text: string,
  caseSensitive: boolean,
): Promise<(cell: string) => boolean> {
  if (match === 'regex') {
    const pattern = await compile(text, caseSensitive);
    return cell => pattern.test(cell);
  }
  const searchText = caseSensitive ? text : text.toLowerCase();
  const normalize = (cell: string) => (caseSensitive ? cell : cell.toLowerCase());
  return match === 'equals'
    ? cell => normalize(cell) === searchText
    : cell => normalize(cell).includes(searchText);
}

async function compile(text: string, caseSensitive: boolean): Promise<RE2JS> {
  // Loaded on demand: few filters need it, and it would slow down the start of the thread.
  const { RE2JS, RE2JSSyntaxException } = await import('re2js');
  try {
    return RE2JS.compile(text, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const message =
      error instanceof RE2JSSyntaxException
        ? describeSyntaxError(error, text)
        : error instanceof Error
          ? error.message
          : String(error);
    throw new CodedError('bad-request', `The regular expression cannot be read: ${message}`, {
      subject: text,
      reason: quoted(message),
    });
  }
}

/** The library's description of the error, with the wrong part if the user typed it like that. */
function describeSyntaxError(error: RE2JSSyntaxException, text: string): string {
  const part = error.getPattern();
  const isPart = part !== null && part !== '' && part !== text && text.includes(part);
  return isPart ? `${error.getDescription()}: ${part}` : error.getDescription();
}
