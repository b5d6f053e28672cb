import { Pacer } from '../slices';
import { gatherCodes, gatherNumbers, type RowChoice } from './gather';
import { mostFrequent } from './points';
import { FIRST_TEXT, type TableSource } from './tableSource';

/** Characters of all texts in a list of choices: a message stays small, yet each text is whole and can be filtered by. */
const MOST_CHARACTERS = 1_000_000;

/**
 * The different texts of a column among the chosen rows, most frequent first, with their numbers of rows. Words for "no
 * value" in a column of numbers count as missing. Texts too long for what is left of a message are passed over.
 */
export async function distinctTexts(
  table: TableSource,
  column: number,
  limit: number,
  search: string | undefined,
  choice: RowChoice,
  signal?: AbortSignal,
): Promise<{ values: { text: string; count: number }[]; distinct: number; missing: number }> {
  const { codes, texts } = await gatherCodes(table, column, choice, signal);
  const numbers =
    table.columns[column]?.kind === 'number' ? await gatherNumbers(table, column, choice, signal) : undefined;
  const counts = new Uint32Array(texts.size);
  let missing = 0;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    if (code < FIRST_TEXT || (numbers && Number.isNaN(numbers[at]))) missing++;
    else counts[code]!++;
  }
  const wanted = search?.toLowerCase() ?? '';
  const found = mostFrequent(counts, Infinity);
  const values: { text: string; count: number }[] = [];
  let room = MOST_CHARACTERS;
  const pacer = new Pacer(signal);
  for (const code of found) {
    if (values.length >= limit) break;
    if (pacer.isDue) await pacer.pause();
    const text = texts.text(code);
    if (text.length > room || (wanted !== '' && !text.toLowerCase().includes(wanted))) continue;
    room -= text.length;
    values.push({ text, count: counts[code] ?? 0 });
  }
  return { values, distinct: found.length, missing };
}
