import type { TableText } from '../../../pages/page/pageText';

/** Delimiters with a name of their own; others are shown as they are. */
const NAMES: ReadonlyMap<string, 'comma' | 'semicolon' | 'tab' | 'pipe'> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
]);

/** How a table's cells are separated, in words and in one word. */
export function delimiterName(delimiter: string, text: TableText): { long: string; short: string } {
  const name = NAMES.get(delimiter);
  return name === undefined
    ? { long: text.get('separatedBy', delimiter), short: `"${delimiter}"` }
    : { long: text.get(name), short: text.get(`${name}Short`) };
}
