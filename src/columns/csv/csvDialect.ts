import { isCoded } from '../../base/errors';
import { CsvCursor } from './csvCursor';
import { DELIMITERS, readPreamble } from './csvGrammar';

/** How much of a file is examined, in bytes and rows. */
const PREFIX_BYTES = 256 * 1024;
const PREFIX_ROWS = 200;

export interface CsvDialect {
  /** One of DELIMITERS. */
  delimiter: string;
  /** First byte after a byte order mark and a "sep=" line. */
  start: number;
}

/**
 * Finds the delimiter of a table: the declared one, else the candidate under which most rows have as many cells as the header,
 * then the one that makes the most columns, then the likely one. A table of one column has a comma.
 */
export function findDialect(bytes: Uint8Array, likely = ','): CsvDialect {
  const { start, delimiter: declared } = readPreamble(bytes);
  if (declared !== undefined) return { delimiter: declared, start };
  let best: { delimiter: string; score: number; columns: number } = { delimiter: ',', score: 0, columns: 1 };
  for (const delimiter of new Set([likely, ...DELIMITERS])) {
    const { columns, alike } = tryDelimiter(bytes, start, delimiter.charCodeAt(0));
    if (columns < 2) continue;
    if (alike > best.score || (alike === best.score && columns > best.columns))
      best = { delimiter, score: alike, columns };
  }
  return { delimiter: best.delimiter, start };
}

/** The delimiter that a file's name says: a tab where it ends in .tsv. */
export function delimiterOfName(path: string): string | undefined {
  return /\.tsv$/i.test(path) ? '\t' : undefined;
}

/** Columns of the header, and the share of the first rows that have as many and whose quotes enclose whole cells. */
function tryDelimiter(
  bytes: Uint8Array,
  start: number,
  delimiter: number,
): { columns: number; alike: number } {
  const prefixEnd = Math.min(bytes.length, start + PREFIX_BYTES);
  const cursor = new CsvCursor(bytes, delimiter, start, prefixEnd);
  const counts: number[] = [];
  let cells = 0;
  let misquoted = 0;
  try {
    while (counts.length < PREFIX_ROWS && cursor.next()) {
      cells++;
      if (cursor.textAfterQuotes) misquoted++;
      if (!cursor.endsRow) continue;
      const blank = cells === 1 && cursor.cellStart === cursor.cellEnd;
      if (!blank) counts.push(cells);
      cells = 0;
    }
  } catch (error) {
    // A cell cut off by the end of the prefix, or a quote that only looks like one under this delimiter.
    if (!isCoded(error, 'damaged-table')) throw error;
  }
  // The last row of a prefix may be cut off.
  if (prefixEnd < bytes.length && counts.length > 1 && counts.length < PREFIX_ROWS) counts.pop();
  const columns = counts[0] ?? 0;
  const alike = counts.filter(count => count === columns).length - misquoted;
  return { columns, alike: alike / Math.max(1, counts.length) };
}
