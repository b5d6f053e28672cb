import { CodedError } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import type { Filter } from '../../viewSpec';
import { FIRST_TEXT, type Column, type TableSource } from '../read/tableSource';
import { integerRangeMask } from './integerRange';
import { textMatcher } from './textMatch';

const EMPTY = [0, 1];
/** Texts tested between two checks of the clock; a long one takes as long as many. */
const TEXTS_TOGETHER = 64;
const LONG_TEXT = 1000;

/** For each of the first `count` rows 1 if it fulfills the filter, else 0. Throws `bad-request`, `cancelled`. */
export async function rowMask(
  table: TableSource,
  filter: Exclude<Filter, { kind: 'rowSet' }>,
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
        for (let at = 0; at < values.length; at++) {
          const value = values[at] as number;
          // Without a branch: the processor cannot predict which rows pass, and a wrong guess costs more than both tests.
          mask[first + at] = Number(value >= from) & Number(value <= to);
        }
      });
      return mask;
    case 'missing':
      if (column.kind === 'number')
        await eachNumber(table, filter.column, count, signal, (values, first) => {
          for (let at = 0; at < values.length; at++)
            mask[first + at] = Number(Number.isNaN(values[at]) === filter.missing);
        });
      else {
        const test = { matches: () => !filter.missing, missing: filter.missing };
        await byCode(table, filter.column, mask, test, signal);
      }
      return mask;
    case 'values': {
      const wanted = new Set(filter.values);
      const isWanted = filter.exclude !== true;
      const missing = (filter.missing === true) === isWanted;
      const matches = (text: string) => wanted.has(text) === isWanted;
      await byText(table, column, mask, { matches, missing }, signal);
      return mask;
    }
    case 'text': {
      const isMatch = textMatcher(filter.match, filter.text, filter.caseSensitive === true);
      const isWanted = filter.exclude !== true;
      const matches = (text: string) => isMatch(text) === isWanted;
      await byText(table, column, mask, { matches, missing: !isWanted }, signal);
      return mask;
    }
  }
}

/** A test of cells by their texts; all missing ones have one result. */
interface CellTest {
  matches: (text: string) => boolean;
  missing: boolean;
}

async function byText(
  table: TableSource,
  { index, kind }: Column,
  mask: Uint8Array,
  test: CellTest,
  signal: AbortSignal | undefined,
): Promise<void> {
  await byCode(table, index, mask, test, signal);
  if (kind === 'text') return;
  // Words such as NA are text to the dictionary and missing in a column of numbers.
  await eachNumber(table, index, mask.length, signal, (values, first) => {
    for (let at = 0; at < values.length; at++)
      if (Number.isNaN(values[at])) mask[first + at] = test.missing ? 1 : 0;
  });
}

/** Tests each different text once, then looks the rows up by their codes. */
async function byCode(
  table: TableSource,
  column: number,
  mask: Uint8Array,
  { matches, missing }: CellTest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { values, firstRows, texts } = await table.codes(column, signal);
  const pacer = new Pacer(signal);
  const results = new Uint8Array(texts.size);
  for (const code of EMPTY) results[code] = missing ? 1 : 0;
  for (let code = FIRST_TEXT; code < results.length; code++) {
    const text = texts.text(code);
    if ((code % TEXTS_TOGETHER === 0 || text.length > LONG_TEXT) && pacer.isDue) await pacer.pause();
    results[code] = matches(text) ? 1 : 0;
  }
  for (let part = 0; part < values.length; part++) {
    const codes = values[part] as Uint32Array;
    const first = firstRows[part] ?? 0;
    for (let at = 0; at < codes.length; at++) mask[first + at] = results[codes[at] as number] as number;
    if (pacer.isDue) await pacer.pause();
  }
}

async function eachNumber(
  table: TableSource,
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
