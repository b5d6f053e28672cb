import { CodedError } from '../../base/errors';
import { Pacer } from '../slices';
import type { RowFilter } from './filterSpec';
import type { TableSource } from './tableSource';
import { textMatcher } from './textMatch';

/** Codes below this one are cells without text. */
const FIRST_TEXT = 2;
const EMPTY = [0, 1];

/** For each of the first `count` rows 1 if it fulfils the filter, else 0. Throws `bad-request`, `cancelled`. */
export async function rowMask(
  table: TableSource,
  filter: Exclude<RowFilter, { kind: 'rowSet' }>,
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
          mask[first + at] = value >= from && value <= to ? 1 : 0;
        }
      });
      return mask;
    case 'missing':
      if (column.kind === 'number')
        await eachNumber(table, filter.column, count, signal, (values, first) => {
          for (let at = 0; at < values.length; at++)
            mask[first + at] = Number.isNaN(values[at]) === filter.missing ? 1 : 0;
        });
      else await byCode(table, filter.column, mask, () => !filter.missing, filter.missing, signal);
      return mask;
    case 'values': {
      const wanted = new Set(filter.values);
      const keep = filter.exclude !== true;
      const missing = (filter.missing === true) === keep;
      if (column.kind === 'text') {
        await byCode(table, filter.column, mask, text => wanted.has(text) === keep, missing, signal);
        return mask;
      }
      await byCode(table, filter.column, mask, text => wanted.has(text) === keep, missing, signal);
      // Words such as NA are text to the dictionary and missing in a column of numbers.
      await eachNumber(table, filter.column, count, signal, (values, first) => {
        for (let at = 0; at < values.length; at++)
          if (Number.isNaN(values[at])) mask[first + at] = missing ? 1 : 0;
      });
      return mask;
    }
    case 'text': {
      const matches = textMatcher(filter.match, filter.text, filter.caseSensitive === true);
      const keep = filter.exclude !== true;
      await byCode(table, filter.column, mask, text => matches(text) === keep, !keep, signal);
      return mask;
    }
  }
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
    if (code % 256 === 0 && pacer.isDue) await pacer.pause();
    verdicts[code] = judge(texts.text(code)) ? 1 : 0;
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
