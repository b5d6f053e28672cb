/*
 * The grammar of delimited text: RFC 4180, read generously. Whatever reads or writes such text
 * takes its rules from here.
 *
 *     text     = [byte order mark] ["sep=" delimiter line-end] row *(line-end row) [line-end]
 *     row      = cell *(delimiter cell)
 *     cell     = plain / '"' *(any byte but '"' / '""') '"' plain
 *     plain    = *(any byte but the delimiter, CR and LF)
 *     line-end = CR LF / LF / CR
 *
 * Four states: start of a cell, plain, inside quotes, after the closing quote.
 * - A quote opens only as the very first byte of a cell; in a plain cell it is text like any other.
 * - Inside quotes delimiters and line ends are text, and two quotes are one.
 * - Text after the closing quote is kept as it is, quotes too. It hints that the delimiter is
 *   another one.
 * - A quote that is never closed makes the file `damaged-table`.
 * - A delimiter as the very last byte announces one more, empty cell; a line end as the last byte
 *   announces no row.
 * - A row without a single byte is skipped, unless the header has one column: then it is that
 *   column's empty cell.
 * - Rows may have fewer or more cells than the header. Missing ones are absent, which is another
 *   thing than empty.
 *
 * Three readers follow this grammar. CsvCursor and the functions below read one cell after the
 * other: the header, and cells that are looked up. scanRow (csvScan) reads a block of rows into
 * columns, with all states unrolled in one loop, since that is where the time goes.
 * kernel/csvKernel.as reads the plain ones of these rows in WebAssembly. csvGrammar.test.ts and
 * csvKernel.test.ts in test/unit/columns/csv run them on the same random text: change them
 * together.
 */

import { Ascii } from '../../base/ascii';

/** Possible delimiters, in the order in which they are tried. */
export const DELIMITERS: readonly string[] = [',', ';', '\t', '|'];

export function isDelimiter(text: string): boolean {
  return DELIMITERS.includes(text);
}

/** Where the first row begins, and the delimiter if a line like "sep=;" declares it. */
export function readPreamble(bytes: Uint8Array): { start: number; delimiter?: string } {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const line = String.fromCharCode(...bytes.subarray(start, start + 7));
  // Spreadsheets read and write such a line.
  const match = /^sep=(.)(\r\n|\n|\r)/i.exec(line);
  const delimiter = match?.[1];
  if (!match || delimiter === undefined || !isDelimiter(delimiter)) return { start };
  return { start: start + match[0].length, delimiter };
}

/** Whether the cell at [start, end) begins with a quote. */
export function isQuoted(bytes: Uint8Array, start: number, end: number): boolean {
  return start < end && bytes[start] === Ascii.Quote;
}

/**
 * The position after the closing quote of the cell at `start`; −1 if there is none before `end`.
 */
export function quotesEnd(bytes: Uint8Array, start: number, end: number): number {
  let position = start + 1;
  for (;;) {
    position = bytes.indexOf(Ascii.Quote, position);
    if (position < 0 || position >= end) return -1;
    if (bytes[position + 1] !== Ascii.Quote || position + 1 >= end) return position + 1;
    position += 2;
  }
}

/**
 * The position of the delimiter or line end that ends plain text from `position`; `end` if there
 * is none.
 */
export function plainEnd(bytes: Uint8Array, position: number, end: number, delimiter: number): number {
  while (position < end) {
    const byte = bytes[position];
    if (byte === delimiter || byte === Ascii.LineFeed || byte === Ascii.CarriageReturn) break;
    position++;
  }
  return position;
}

/** The end of the cell at `start`; `end` if its quotes aren't closed before. */
export function cellEnd(bytes: Uint8Array, start: number, end: number, delimiter: number): number {
  if (!isQuoted(bytes, start, end)) return plainEnd(bytes, start, end, delimiter);
  const past = quotesEnd(bytes, start, end);
  return past < 0 ? end : plainEnd(bytes, past, end, delimiter);
}

/** Length of the line end at `position`: CR and LF together are one line end. */
export function lineEndLength(bytes: Uint8Array, position: number, end: number): number {
  return bytes[position] === Ascii.CarriageReturn &&
    position + 1 < end &&
    bytes[position + 1] === Ascii.LineFeed
    ? 2
    : 1;
}

/**
 * Line ends in bytes [0, end), counted like editors do. `previous`: the byte before the first one.
 */
export function countLineEnds(bytes: Uint8Array, end: number, previous = 0): number {
  let count = 0;
  let last = previous;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === Ascii.CarriageReturn || (byte === Ascii.LineFeed && last !== Ascii.CarriageReturn)) count++;
    last = byte;
  }
  return count;
}

/** Whether the quoted cell at [start, end) has neither doubled quotes nor text after its quotes. */
export function isPlainlyQuoted(bytes: Uint8Array, start: number, end: number): boolean {
  const last = end - 1;
  for (let i = start + 1; i < last; i++) if (bytes[i] === Ascii.Quote) return false;
  return last > start && bytes[last] === Ascii.Quote;
}

/**
 * Writes the content of the quoted cell at [start, end) to `target`, which needs end − start bytes.
 * Returns the length of the content.
 */
export function unquoteInto(target: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  let isInside = true;
  for (let i = start + 1; i < end; i++) {
    const byte = bytes[i] as number;
    if (isInside && byte === Ascii.Quote) {
      if (bytes[i + 1] !== Ascii.Quote || i + 1 >= end) {
        isInside = false;
        continue;
      }
      i++;
    }
    target[length++] = byte;
  }
  return length;
}

/** The content of a cell as bytes: a part of `bytes`, or a copy if it is quoted. */
export function cellContent(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (!isQuoted(bytes, start, end)) return bytes.subarray(start, end);
  const content = new Uint8Array(end - start);
  return content.subarray(0, unquoteInto(content, bytes, start, end));
}

/** A cell as written: in quotes if necessary. */
function writtenCell(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? inQuotes(text) : text;
}

/**
 * A row as written, without a line end. A single cell is quoted if it is empty, as it would be read
 * as a blank line, and if a reader could find a delimiter in it.
 */
export function writtenRow(cells: readonly string[], delimiter: string): string {
  const [only] = cells;
  if (
    cells.length === 1 &&
    only !== undefined &&
    (only === '' || DELIMITERS.some(candidate => only.includes(candidate)))
  )
    return inQuotes(only);
  return cells.map(text => writtenCell(text, delimiter)).join(delimiter);
}

/**
 * Rows as written, with line ends, for readers that detect the delimiter. If a cell contains
 * another delimiter, all cells are quoted, which rules that one out.
 */
export function unmistakableLines(rows: readonly (readonly string[])[], delimiter: string): string[] {
  const otherDelimiters = DELIMITERS.filter(candidate => candidate !== delimiter);
  const isMistakable = rows.some(cells =>
    cells.some(text => otherDelimiters.some(delimiterInText => text.includes(delimiterInText))),
  );
  return rows.map(cells =>
    isMistakable ? `${cells.map(inQuotes).join(delimiter)}\n` : `${writtenRow(cells, delimiter)}\n`,
  );
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * A line of a CSV file (RFC 4180). Cells are quoted if necessary; their text is never changed, even
 * if it begins with "=", which spreadsheets may read as a formula: programs that read these files
 * look up names.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell => writtenCell(cell, ',')).join(',')}\r\n`;
}

/**
 * Rows as tab-separated text for spreadsheets. Cells with a tab, line break or quote are quoted,
 * with quotes doubled. Every line ends in \n, including the last one.
 */
export function tabSeparated(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `${cells.map(quoted).join('\t')}\n`).join('');
}

function quoted(cell: string): string {
  return /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
