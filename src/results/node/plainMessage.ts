import { DELIMITERS } from '../../columns/csv/csvGrammar';
import { findRowColumns } from '../../columns/rowColumns';

/**
 * Whether a short text is rather what a server says, such as "Service unavailable", than a table. A table of one column has a name
 * that is known, or rows, each of them a word, a number or a quoted text; one of several columns is a message only where its first
 * line ends as a sentence does and nothing follows in columns.
 */
export function isPlainMessage(text: string): boolean {
  const lines = text.split(/[\r\n]+/);
  const [header, ...rows] = lines.map(line => line.trim()).filter(line => line !== '');
  if (header === undefined || isKnown(header)) return false;
  if (hasColumns(header)) return /\s.*[.!?]$/.test(header) && !rows.some(hasColumns);
  // A title may stand above a table.
  if (rows.length > 1 && rows.every(hasColumns)) return false;
  return rows.length === 0 || !rows.every(isValue);
}

function hasColumns(line: string): boolean {
  return DELIMITERS.some(delimiter => line.includes(delimiter));
}

function isKnown(header: string): boolean {
  const names = header.split(/[,;\t|]/);
  return names.some(name => /^\W*class\W*$/i.test(name)) || Object.keys(findRowColumns(names)).length > 0;
}

/** Spaces may group the digits of a number. */
function isValue(row: string): boolean {
  return !/\s/.test(row) || /^".*"$/.test(row) || /^[-+]?\d[\d\s.,]*$/.test(row);
}
