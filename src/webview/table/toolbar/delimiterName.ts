import type { TableText } from '../../page/pageText';

/** Delimiters with a name of their own; others are shown as they are. */
const NAMES: ReadonlyMap<string, 'comma' | 'semicolon' | 'tab' | 'pipe'> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
]);

/** How a table's cells are separated, in words. */
export function delimiterName(delimiter: string, text: TableText): string {
  const name = NAMES.get(delimiter);
  return name === undefined ? text.get('separatedBy', delimiter) : text.get(name);
}
