import { CodedError } from '../../base/errors';
import { Pacer } from '../slices';
import type { Filter } from '../../formats/viewSpec';
import { FIRST_TEXT, type Column, type TableSource } from './tableSource';
import { textMatcher } from './textMatch';

const EMPTY = [0, 1];
/** Texts judged before the clock is looked at; a long one takes as long as many. */
const TEXTS_TOGETHER = 64;
const LONG_TEXT = 1000;

/** For each of the first `count` rows 1 if it fulfils the filter, else 0. Throws `bad-request`, `cancelled`. */
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
      await eachNumber(table, filter.column, count, signal, (values, first) => {
        const from = filter.from ?? -Infinity;
        const to = filter.to ?? Infinity;
        for (let at = 0; at < values.length; at++) {
          const value = values[at] as number;
          // No branch: which rows fulfil a filter cannot be foreseen, and a wrong guess costs more than both questions.
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
      else await byCode(table, filter.column, mask, () => !filter.missing, filter.missing, signal);
      return mask;
    case 'values': {
      const wanted = new Set(filter.values);
      const keep = filter.exclude !== true;
      const missing = (filter.missing === true) === keep;
      await byText(table, column, mask, text => wanted.has(text) === keep, missing, signal);
      return mask;
    }
    case 'text': {
      const matches = textMatcher(filter.match, filter.text, filter.caseSensitive === true);
      const keep = filter.exclude !== true;
      await byText(table, column, mask, text => matches(text) === keep, !keep, signal);
      return mask;
    }
  }
}

/** Judges cells by their texts, and all missing ones alike. */
async function byText(
  table: TableSource,
  { index, kind }: Column,
  mask: Uint8Array,
  judge: (text: string) => boolean,
  missing: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  await byCode(table, index, mask, judge, missing, signal);
  if (kind === 'text') return;
  // Words such as NA are text to the dictionary and missing in a column of numbers.
  await eachNumber(table, index, mask.length, signal, (values, first) => {
    for (let at = 0; at < values.length; at++)
      if (Number.isNaN(values[at])) mask[first + at] = missing ? 1 : 0;
  });
}

/** Judges each different text once, then the rows by their codes. */
async function byCode(
  table: TableSource,
  column: number,
  mask: Uint8Array,
  judge: (text: string) => boolean,
  missing: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { values, firstRows, texts } = await table.codes(column, signal);
  const pacer = new Pacer(signal);
  const verdicts = new Uint8Array(texts.size);
  for (const code of EMPTY) verdicts[code] = missing ? 1 : 0;
  for (let code = FIRST_TEXT; code < verdicts.length; code++) {
    const text = texts.text(code);
    if ((code % TEXTS_TOGETHER === 0 || text.length > LONG_TEXT) && pacer.isDue) await pacer.pause();
    verdicts[code] = judge(text) ? 1 : 0;
  }
  for (let part = 0; part < values.length; part++) {
    const codes = values[part] as Uint32Array;
    const first = firstRows[part] ?? 0;
    for (let at = 0; at < codes.length; at++) mask[first + at] = verdicts[codes[at] as number] as number;
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
