import { isCoded } from '../base/errors';
import { CsvCursor } from './csvCursor';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** How much of a file is looked at, in bytes and rows. */
const PREFIX_BYTES = 256 * 1024;
const PREFIX_ROWS = 200;

export interface CsvDialect {
  /** One of , ; tab |, or what a first line "sep=X" says. */
  delimiter: string;
  /** First byte after a byte order mark and a "sep=" line. */
  start: number;
}

/**
 * Finds the delimiter of a table: the candidate under which most rows have as many cells as the header, then the one
 * that makes the most columns, then the likely one. A table of one column has a comma.
 */
export function findDialect(bytes: Uint8Array, likely = ','): CsvDialect {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const declared = declaredDelimiter(bytes, start);
  if (declared) return declared;
  let best: { delimiter: string; score: number; columns: number } = { delimiter: ',', score: 0, columns: 1 };
  for (const delimiter of new Set([likely, ...CANDIDATES])) {
    const { columns, alike } = tryDelimiter(bytes, start, delimiter.charCodeAt(0));
    if (columns < 2) continue;
    if (alike > best.score || (alike === best.score && columns > best.columns))
      best = { delimiter, score: alike, columns };
  }
  return { delimiter: best.delimiter, start };
}

/** Spreadsheets write and understand a first line such as "sep=;". */
function declaredDelimiter(bytes: Uint8Array, start: number): CsvDialect | undefined {
  const line = String.fromCharCode(...bytes.subarray(start, start + 7));
  const match = /^sep=([,;\t|])(\r\n|\n|\r)/i.exec(line);
  return match?.[1] ? { delimiter: match[1], start: start + match[0].length } : undefined;
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
