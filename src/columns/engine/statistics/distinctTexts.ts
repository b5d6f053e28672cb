import { CodedError } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import { reason } from '../../../base/reasons';
import {
  FIRST_TEXT,
  gatherCodes,
  gatherNumbers,
  type RowSubset,
  type TableSource,
} from '../read/tableSource';

/** Maximum number of characters in a list. Texts aren't cut, because they become filters. */
const MAX_CHARACTERS = 1_000_000;

/** Maximum number of texts to select without sorting all. */
const FEW = 16;

/**
 * The distinct texts of a column in a subset, most frequent first, with their numbers of rows.
 * Words for "no value" in a column of numbers count as missing. Skips texts for which the message
 * has no room left.
 */
export async function distinctTexts(
  table: TableSource,
  { column, limit, search }: { column: number; limit: number; search?: string | undefined },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<{ values: { text: string; count: number }[]; distinct: number; missing: number }> {
  const { codes, texts } = await gatherCodes(table, column, subset, signal);
  const numbers =
    table.columns[column]?.kind === 'number' ? await gatherNumbers(table, column, subset, signal) : undefined;
  const counts = new Uint32Array(texts.size);
  let missing = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code < FIRST_TEXT || (numbers && Number.isNaN(numbers[i]))) missing++;
    else counts[code] = (counts[code] as number) + 1;
  }
  const searchText = search?.toLowerCase() ?? '';
  // A column header needs only a few. Sorting a million distinct texts would take longer than all
  // the rest.
  const frequent = mostFrequent(counts, searchText === '' && limit <= FEW ? limit : Infinity);
  const values: { text: string; count: number }[] = [];
  let room = MAX_CHARACTERS;
  const pacer = new Pacer(signal);
  for (const code of frequent) {
    if (values.length >= limit) break;
    if (pacer.isDue) await pacer.pause();
    const text = texts.text(code);
    if (text.length > room || (searchText !== '' && !text.toLowerCase().includes(searchText))) continue;
    room -= text.length;
    values.push({ text, count: counts[code] ?? 0 });
  }
  return { values, distinct: present(counts), missing };
}

function present(counts: Uint32Array): number {
  let matches = 0;
  for (let code = FIRST_TEXT; code < counts.length; code++) matches += Number(counts[code] !== 0);
  return matches;
}

/**
 * Codes of texts by descending row count, then ascending; at most `limit`, only those with rows.
 */
export function mostFrequent(counts: Uint32Array, limit: number): number[] {
  const order = (a: number, b: number) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b;
  let present: number[] = [];
  let least = 0;
  for (let code = FIRST_TEXT; code < counts.length; code++) {
    if ((counts[code] as number) <= least) continue;
    present.push(code);
    if (present.length < 4 * limit + 64) continue;
    // Keeps the most frequent codes so far. Later codes need more rows than the last of these.
    present = present.sort(order).slice(0, limit);
    least = counts[present[limit - 1] ?? 0] ?? 0;
  }
  return present.sort(order).slice(0, limit);
}

/** Maximum number of distinct texts that textsInOrder lists. */
const MAX_TEXTS = 500_000;

/** Distinct texts in the order of their first rows. Throws `too-many-objects`, `cancelled`. */
export async function textsInOrder(
  table: TableSource,
  column: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const { values, texts } = await table.codes(column, signal);
  const pacer = new Pacer(signal);
  const isSeen = new Uint8Array(texts.size);
  const distinct: string[] = [];
  for (const codes of values) {
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      if (code < FIRST_TEXT || isSeen[code] === 1) continue;
      isSeen[code] = 1;
      if (distinct.length === MAX_TEXTS)
        throw new CodedError('too-many-objects', `More than ${MAX_TEXTS} texts`, {
          reason: reason('There are more than {0} groups', MAX_TEXTS),
        });
      distinct.push(texts.text(code));
    }
    if (pacer.isDue) await pacer.pause();
  }
  return distinct;
}
