import { gatherCodes, type RowChoice } from './gather';
import { mostFrequent } from './points';
import type { TableSource } from './tableSource';

/** Characters of a text in a list of choices. */
const LONGEST = 1000;

/** The different texts of a column among the chosen rows, most frequent first, with their numbers of rows. */
export async function distinctTexts(
  table: TableSource,
  column: number,
  limit: number,
  search: string | undefined,
  choice: RowChoice,
  signal?: AbortSignal,
): Promise<{ values: { text: string; count: number }[]; distinct: number; missing: number }> {
  const { codes, texts } = await gatherCodes(table, column, choice, signal);
  const counts = new Uint32Array(texts.size);
  for (let at = 0; at < codes.length; at++) counts[codes[at] as number]!++;
  const wanted = search?.toLowerCase() ?? '';
  const found = mostFrequent(counts, Infinity);
  const values: { text: string; count: number }[] = [];
  for (const code of found) {
    if (values.length >= limit) break;
    const text = texts.text(code);
    if (wanted === '' || text.toLowerCase().includes(wanted))
      values.push({ text: text.slice(0, LONGEST), count: counts[code] ?? 0 });
  }
  return { values, distinct: found.length, missing: (counts[0] ?? 0) + (counts[1] ?? 0) };
}
