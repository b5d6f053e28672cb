import { Ascii } from '../../base/ascii';
import { CodedError, isCoded } from '../../base/errors';
import { reason } from '../../base/reasons';
import {
  countLineEnds,
  DELIMITERS,
  isQuoted,
  lineEndLength,
  plainEnd,
  quotesEnd,
  readPreamble,
} from './csvGrammar';
import type { HeaderRows } from '../tableSummary';
import { cellNumber, missingKind } from './csvNumber';
import { NUMBER, TEXT } from './csvScan';

/** Maximum number of columns of a table: each takes memory here and in the page. */
const MAX_COLUMNS = 250_000;
const SAMPLED_ROWS = 200;
/** Numbers such as 1,234, whose mark may be a decimal mark or a thousands separator. */
const GROUPED = /^[\s"]*[+-]?[1-9]\d{0,2}[.,]\d{3}[\s"]*$/;
/** Numbers whose marks are unambiguous, such as 1,234,567 and 1,234.5. */
const DOT_DECIMAL = /^[\s"]*[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:,\d{3}|\.\d*)[\s"]*$/;
const COMMA_DECIMAL = /^[\s"]*[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:\.\d{3}|,\d*)[\s"]*$/;
const GROUPED_LENGTH = 32;

interface HeadOptions {
  delimiter?: string;
  decimalComma?: boolean;
  /** The delimiter if several are possible; absent for a comma. */
  likelyDelimiter?: string;
  /** Absent to detect the header. */
  header?: HeaderRows;
}

interface CellRange {
  start: number;
  end: number;
}

/** The format of a delimited text, from its beginning. */
export interface CsvHead {
  delimiter: string;
  decimalComma: boolean;
  /** The cells of the header's last row as byte ranges, quotes included. */
  header: CellRange[];
  /** Rows of the header above the last one, such as CellProfiler's row of objects. */
  above: CellRange[][];
  /** Which rows are the header. */
  headerRows: HeaderRows;
  /** The first byte after the header. */
  dataStart: number;
  /** NUMBER or TEXT per column, by the first rows; later rows may have texts among numbers. */
  modes: Uint8Array;
}

/**
 * Reads the header and examines the first rows. The header is the first row that isn't blank. It
 * can also be recognized below comment lines, such as OMERO's "# header", and in two rows, as
 * CellProfiler writes them. Undefined if the header isn't complete in `bytes`, unless `isEnd`.
 * Throws `damaged-table` if a quote in the header is never closed, or if there are more than
 * MAX_COLUMNS columns.
 */
export function readHead(bytes: Uint8Array, isEnd: boolean, options: HeadOptions = {}): CsvHead | undefined {
  const comments = options.header ? undefined : commentLines(bytes, options);
  const dialect = comments ?? findDialect(bytes, options.likelyDelimiter);
  const delimiter = options.delimiter ?? dialect.delimiter;
  const expectedHeader = options.header ?? { skipped: comments?.lines ?? 0, rows: 1 };
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), dialect.start);
  const above: CellRange[][] = [];
  let header: CellRange[] | undefined;
  try {
    // Comment lines have been skipped already.
    for (let skipped = options.header?.skipped ?? 0; skipped > 0; skipped--) readRow(cursor);
    for (let row = 1; row < expectedHeader.rows; row++) above.push(readRow(cursor) ?? []);
    header = readRow(cursor);
  } catch (error) {
    if (isEnd || !isCoded(error, 'damaged-table')) throw error;
    return undefined;
  }
  header ??= [];
  if (header.length > MAX_COLUMNS)
    throw new CodedError('damaged-table', `The table has more than ${MAX_COLUMNS} columns`, {
      reason: reason('The table has more than {0} columns', MAX_COLUMNS),
    });
  if (cursor.position >= bytes.length && !isEnd) return undefined;
  let dataStart = cursor.position;
  let rows = expectedHeader.rows;
  if (!options.header && hasRepeats(bytes, header)) {
    const secondRow = secondHeader(bytes, delimiter, header, dataStart);
    if (secondRow === 'cut' && !isEnd) return undefined;
    if (secondRow && secondRow !== 'cut') {
      above.push(header);
      header = secondRow.cells;
      dataStart = secondRow.end;
      rows = 2;
    }
  }
  const sample = sampleRows(
    new CsvCursor(bytes, delimiter.charCodeAt(0), dataStart),
    bytes,
    header.length,
    isEnd,
  );
  const decimalComma = options.decimalComma ?? hasDecimalComma(delimiter, sample);
  const textColumns = decimalComma ? sample.commaText : sample.dotText;
  const modes = textColumns.map(isText => (isText !== 0 ? TEXT : NUMBER));
  const headerRows = { skipped: expectedHeader.skipped, rows };
  return { delimiter, decimalComma, header, above, headerRows, dataStart, modes };
}

/** The cells of the next row that isn't blank, at most MAX_COLUMNS + 1; undefined at the end. */
function readRow(cursor: CsvCursor): CellRange[] | undefined {
  const cells: CellRange[] = [];
  while (cells.length <= MAX_COLUMNS && cursor.next()) {
    cells.push({ start: cursor.cellStart, end: cursor.cellEnd });
    if (!cursor.endsRow) continue;
    if (cells.length > 1 || cursor.cellStart !== cursor.cellEnd) return cells;
    cells.length = 0;
  }
  return cells.length > 0 ? cells : undefined;
}

/** Names of columns. Several header rows are joined from top to bottom. */
export function columnNames({ header, above }: CsvHead, text: (cell: CellRange) => string): string[] {
  if (above.length === 0) return header.map(text);
  const rows = [...above, header];
  return header.map((_, column) =>
    rows
      .flatMap(row => row[column] ?? [])
      .map(text)
      .filter(name => name !== '')
      .join('_'),
  );
}

/** The beginning of OMERO's line with the types of columns. */
const TYPE_LINE = /^#\s*header\b/i;
/** Maximum number of comment lines above a header. */
const MAX_COMMENTS = 50;

/**
 * Lines above the header that begin with "#", and the dialect of the rest. They are comments if the
 * first one is OMERO's, or if the next row has another number of cells: a header may begin with "#"
 * as well.
 */
function commentLines(
  bytes: Uint8Array,
  { delimiter: givenDelimiter, likelyDelimiter }: HeadOptions,
): (CsvDialect & { lines: number }) | undefined {
  const { start, delimiter: declared } = readPreamble(bytes);
  let position = start;
  let lines = 0;
  while (bytes[position] === Ascii.Hash && lines < MAX_COMMENTS) {
    const end = plainEnd(bytes, position, bytes.length, -1);
    if (end >= bytes.length) return undefined;
    position = end + lineEndLength(bytes, end, bytes.length);
    lines++;
  }
  if (lines === 0) return undefined;
  const following = bytes.subarray(position);
  const delimiter = givenDelimiter ?? declared ?? findDialect(following, likelyDelimiter).delimiter;
  const columns = readRow(new CsvCursor(following, delimiter.charCodeAt(0), 0))?.length ?? 0;
  const first = readRow(new CsvCursor(bytes.subarray(start, position), delimiter.charCodeAt(0), 0));
  const isOmero = TYPE_LINE.test(String.fromCharCode(...bytes.subarray(start, start + 16)));
  if (columns < 2 || !(isOmero || first?.length !== columns)) return undefined;
  return { delimiter, start: position, lines };
}

/** Whether a header repeats a name. */
function hasRepeats(bytes: Uint8Array, header: readonly CellRange[]): boolean {
  const names = new Set(header.map(({ start, end }) => latin1(bytes, start, end)));
  return header.length > 1 && names.size < header.length;
}

/**
 * The second row of a header with two: measurements below names of objects, which repeat. All its
 * cells are names, both rows together give each column a unique name, and the row below has a
 * number. 'cut' if the bytes end before.
 */
function secondHeader(
  bytes: Uint8Array,
  delimiter: string,
  header: readonly CellRange[],
  from: number,
): { cells: CellRange[]; end: number } | 'cut' | undefined {
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), from);
  try {
    const cells = readRow(cursor);
    const end = cursor.position;
    if (end >= bytes.length) return 'cut';
    if (!cells || cells.length !== header.length) return undefined;
    const next = readRow(cursor);
    if (!next) return 'cut';
    const isNumber = ({ start, end: last }: CellRange) =>
      !Number.isNaN(cellNumber(bytes, start, last, '.')) ||
      !Number.isNaN(cellNumber(bytes, start, last, ','));
    const isName = (cell: CellRange) =>
      missingKind(bytes, cell.start, cell.end) === undefined && !isNumber(cell);
    const joined = new Set(
      cells.map(
        (cell, index) =>
          `${latin1(bytes, header[index]?.start ?? 0, header[index]?.end ?? 0)}\n${latin1(bytes, cell.start, cell.end)}`,
      ),
    );
    const isHeader = [...header, ...cells].every(isName) && joined.size === cells.length;
    return isHeader && next?.some(isNumber) ? { cells, end } : undefined;
  } catch (error) {
    if (!isCoded(error, 'damaged-table')) throw error;
    return 'cut';
  }
}

/** Bytes as Latin-1, to compare texts. */
function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}

/**
 * Whether a comma is the decimal mark. "1,234" may also be grouped thousands, as may "1.234" with
 * decimal commas; other numbers are unambiguous. With semicolons as delimiters, commas are decimal
 * marks unless numbers contradict.
 */
function hasDecimalComma(delimiter: string, sample: Sample): boolean {
  const { commaNumbers, groupedByComma, dotNumbers, groupedByDot } = sample;
  const sureOfComma = commaNumbers - groupedByComma + sample.commaDecimals;
  const sureOfDot = dotNumbers - groupedByDot + sample.dotDecimals;
  if (delimiter === ',' || sureOfDot > 0) return false;
  if (delimiter === ';') return sureOfComma > 0 || (commaNumbers > 0 && dotNumbers === 0);
  return sureOfComma > 0 && dotNumbers === 0;
}

interface Sample {
  /** 1 for columns with a cell that isn't a number if a dot is the decimal mark. */
  dotText: Uint8Array;
  /** 1 for columns with a cell that isn't a number if a comma is the decimal mark. */
  commaText: Uint8Array;
  /** Numbers of cells that are numbers only with a comma, or only with a dot. */
  commaNumbers: number;
  dotNumbers: number;
  /** How many of these could be grouped thousands. */
  groupedByComma: number;
  groupedByDot: number;
  /** Numbers of cells with grouped thousands, by their decimal mark. Such cells count as text. */
  commaDecimals: number;
  dotDecimals: number;
}

function sampleRows(cursor: CsvCursor, bytes: Uint8Array, columns: number, isEnd: boolean): Sample {
  const sample: Sample = {
    dotText: new Uint8Array(columns),
    commaText: new Uint8Array(columns),
    commaNumbers: 0,
    dotNumbers: 0,
    groupedByComma: 0,
    groupedByDot: 0,
    commaDecimals: 0,
    dotDecimals: 0,
  };
  let column = 0;
  let rows = 0;
  try {
    while (rows < SAMPLED_ROWS && cursor.next()) {
      const { cellStart, cellEnd } = cursor;
      // The last cell may be incomplete.
      if (!isEnd && cursor.position >= bytes.length) break;
      if (column < columns && missingKind(bytes, cellStart, cellEnd) === undefined) {
        const isDot = !Number.isNaN(cellNumber(bytes, cellStart, cellEnd, '.'));
        const isComma = !Number.isNaN(cellNumber(bytes, cellStart, cellEnd, ','));
        if (!isDot) sample.dotText[column] = 1;
        if (!isComma) sample.commaText[column] = 1;
        if (isComma !== isDot) {
          const grouped = Number(matchesCell(GROUPED, bytes, cellStart, cellEnd));
          if (isComma) {
            sample.commaNumbers++;
            sample.groupedByComma += grouped;
          } else {
            sample.dotNumbers++;
            sample.groupedByDot += grouped;
          }
        } else if (!isDot) {
          sample.dotDecimals += Number(matchesCell(DOT_DECIMAL, bytes, cellStart, cellEnd));
          sample.commaDecimals += Number(matchesCell(COMMA_DECIMAL, bytes, cellStart, cellEnd));
        }
      }
      column++;
      if (!cursor.endsRow) continue;
      column = 0;
      rows++;
    }
  } catch (error) {
    // A quote that isn't closed here may be closed later. The scan reports it if not.
    if (!isCoded(error, 'damaged-table')) throw error;
  }
  return sample;
}

/** Whether a pattern matches a cell, if the cell is as short as a number. */
function matchesCell(pattern: RegExp, bytes: Uint8Array, start: number, end: number): boolean {
  // Most cells are words, and end in a letter.
  if (end - start > GROUPED_LENGTH || (bytes[end - 1] ?? 0) > Ascii.Nine) return false;
  return pattern.test(String.fromCharCode(...bytes.subarray(start, end)));
}

/** Limits of what is examined of a file. */
const PREFIX_BYTES = 256 * 1024;
const PREFIX_ROWS = 200;

interface CsvDialect {
  /** One of DELIMITERS. */
  delimiter: string;
  /** The first byte after a byte order mark and a "sep=" line. */
  start: number;
}

/**
 * Finds the delimiter of a table: the declared one; otherwise the candidate with which most rows
 * have as many cells as the header, then the one with the most columns, then the likely one. A
 * comma for a table of one column.
 */
export function findDialect(bytes: Uint8Array, likely = ','): CsvDialect {
  const { start, delimiter: declared } = readPreamble(bytes);
  if (declared !== undefined) return { delimiter: declared, start };
  let best: { delimiter: string; score: number; columns: number } = { delimiter: ',', score: 0, columns: 1 };
  for (const delimiter of new Set([likely, ...DELIMITERS])) {
    const { columns, sameWidthShare } = tryDelimiter(bytes, start, delimiter.charCodeAt(0));
    if (columns < 2) continue;
    if (sameWidthShare > best.score || (sameWidthShare === best.score && columns > best.columns))
      best = { delimiter, score: sameWidthShare, columns };
  }
  return { delimiter: best.delimiter, start };
}

/** The delimiter by a file's name: a tab for .tsv, also compressed; undefined for others. */
export function delimiterOfName(path: string): string | undefined {
  return /\.tsv(\.(gz|zst))?$/i.test(path) ? '\t' : undefined;
}

/**
 * The number of columns with a delimiter, and the share of first rows with that many cells. A cell
 * with text after its closing quote reduces the share.
 */
function tryDelimiter(
  bytes: Uint8Array,
  start: number,
  delimiter: number,
): { columns: number; sameWidthShare: number } {
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
    // The cell is incomplete, or contains a quote that isn't one with this delimiter.
    if (!isCoded(error, 'damaged-table')) throw error;
  }
  // The last row may be incomplete.
  if (prefixEnd < bytes.length && counts.length > 1 && counts.length < PREFIX_ROWS) counts.pop();
  const columns = counts[0] ?? 0;
  const regularRows = counts.filter(count => count === columns).length - misquoted;
  return { columns, sameWidthShare: regularRows / Math.max(1, counts.length) };
}

/**
 * Steps through the cells of a delimited text as byte ranges, by csvGrammar's rules. Copies
 * nothing.
 */
export class CsvCursor {
  /** Bytes [cellStart, cellEnd) of the current cell, quotes included; see cellContent. */
  cellStart = 0;
  cellEnd = 0;
  /** Whether text follows the closing quote of the current cell. */
  textAfterQuotes = false;
  /** Whether the current cell is the last of its row. */
  endsRow = true;
  /** Where the next cell begins. */
  position: number;
  private finished: boolean;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly delimiter: number,
    start: number,
    private readonly end = bytes.length,
  ) {
    this.position = start;
    this.finished = start >= end;
  }

  /** Moves to the next cell; false at the end. Throws `damaged-table` for an open quote. */
  next(): boolean {
    if (this.finished) return false;
    const { bytes, end, delimiter } = this;
    const start = this.position;
    const past = isQuoted(bytes, start, end) ? this.pastQuotes(start) : start;
    const position = plainEnd(bytes, past, end, delimiter);
    this.cellStart = start;
    this.cellEnd = position;
    this.textAfterQuotes = past > start && position > past;
    this.endsRow = position >= end || bytes[position] !== delimiter;
    if (position >= end) this.position = end;
    else this.position = this.endsRow ? position + lineEndLength(bytes, position, end) : position + 1;
    // A cell follows each delimiter, even if it is empty.
    this.finished = this.endsRow && this.position >= end;
    return true;
  }

  private pastQuotes(start: number): number {
    const past = quotesEnd(this.bytes, start, this.end);
    if (past >= 0) return past;
    throw unclosedQuote(1 + countLineEnds(this.bytes, start));
  }
}

/** The error for a quote that is opened on `line`, from 1, and never closed. */
export function unclosedQuote(line: number, subject?: string): CodedError {
  return new CodedError('damaged-table', `The quote opened on line ${line} is never closed`, {
    ...(subject !== undefined && { subject }),
    reason: reason('The quote opened on line {0} is never closed', line),
  });
}
