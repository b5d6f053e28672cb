import { CodedError, isCoded } from '../../base/errors';
import { reason } from '../../base/reasons';
import { Ascii } from '../../base/ascii';
import { CsvCursor } from './csvCursor';
import { findDialect } from './csvDialect';
import { cellNumber, missingKind } from './csvNumber';
import { NUMBER, TEXT } from './csvCells';

/** Columns of the widest tables that are opened: each takes memory here and in the page. */
const MAX_COLUMNS = 250_000;
const SAMPLED_ROWS = 200;
/** Numbers such as 1,234, whose mark may be one of decimals or of thousands. */
const GROUPED = /^[\s"]*[+-]?[1-9]\d{0,2}[.,]\d{3}[\s"]*$/;
/** Numbers in which one mark can only group thousands, and the other one only mark decimals: 1,234,567 and 1,234.5. */
const DOT_DECIMAL = /^[\s"]*[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:,\d{3}|\.\d*)[\s"]*$/;
const COMMA_DECIMAL = /^[\s"]*[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:\.\d{3}|,\d*)[\s"]*$/;
const GROUPED_LENGTH = 32;

export interface HeadOptions {
  delimiter?: string;
  decimalComma?: boolean;
  /** The delimiter where several would do; a comma when absent. */
  likelyDelimiter?: string;
}

/** What the beginning of a delimited text shows about the rest. */
export interface CsvHead {
  delimiter: string;
  decimalComma: boolean;
  /** The header's cells as byte ranges, quotes included. */
  header: { start: number; end: number }[];
  /** First byte after the header. */
  dataStart: number;
  /** NUMBER or TEXT for each column, as the first rows have it; a column of numbers may be proved wrong later. */
  modes: Uint8Array;
}

/**
 * Reads the header, which is the first line that is not blank, and examines the first rows. Undefined when `bytes` end before the
 * header does and `isEnd` is not set. Throws `damaged-table` for a quote in the header that is never closed, and for more columns
 * than MAX_COLUMNS.
 */
export function readHead(bytes: Uint8Array, isEnd: boolean, options: HeadOptions = {}): CsvHead | undefined {
  const found = findDialect(bytes, options.likelyDelimiter);
  const delimiter = options.delimiter ?? found.delimiter;
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), found.start);
  const header: CsvHead['header'] = [];
  let complete = false;
  try {
    while (header.length <= MAX_COLUMNS && cursor.next()) {
      header.push({ start: cursor.cellStart, end: cursor.cellEnd });
      if (!cursor.endsRow) continue;
      complete = cursor.position < bytes.length;
      if (header.length > 1 || cursor.cellStart !== cursor.cellEnd) break;
      header.length = 0;
    }
  } catch (error) {
    if (isEnd || !isCoded(error, 'damaged-table')) throw error;
    return undefined;
  }
  if (header.length > MAX_COLUMNS)
    throw new CodedError('damaged-table', `The table has more than ${MAX_COLUMNS} columns`, {
      reason: reason('too-many-columns', MAX_COLUMNS),
    });
  if (!complete && !isEnd) return undefined;
  const dataStart = cursor.position;
  const sample = sampleRows(cursor, bytes, header.length, isEnd);
  const decimalComma = options.decimalComma ?? hasDecimalComma(delimiter, sample);
  const seen = decimalComma ? sample.commaText : sample.dotText;
  const modes = seen.map(isText => (isText !== 0 ? TEXT : NUMBER));
  return { delimiter, decimalComma, header, dataStart, modes };
}

/**
 * Whether a comma marks decimals. "1,234" may as well be grouped thousands, and so may "1.234" where commas mark decimals:
 * other numbers say more. Beside semicolons a comma is one of decimals unless something speaks against it.
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
  /** 1 for columns with a cell that is no number under a decimal mark of this kind. */
  dotText: Uint8Array;
  commaText: Uint8Array;
  /** Cells that are numbers only with a comma, or only with a dot. */
  commaNumbers: number;
  dotNumbers: number;
  /** Of those the ones that could be thousands in groups. */
  groupedByComma: number;
  groupedByDot: number;
  /** Cells that are no numbers for their groups of thousands, by the mark that their decimals have or would have. */
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
      // The last cell of a prefix may be cut off.
      if (!isEnd && cursor.position >= bytes.length) break;
      if (column < columns && missingKind(bytes, cellStart, cellEnd) === undefined) {
        const isDot = !Number.isNaN(cellNumber(bytes, cellStart, cellEnd, '.'));
        const isComma = !Number.isNaN(cellNumber(bytes, cellStart, cellEnd, ','));
        if (!isDot) sample.dotText[column] = 1;
        if (!isComma) sample.commaText[column] = 1;
        if (isComma !== isDot) {
          const grouped = Number(reads(GROUPED, bytes, cellStart, cellEnd));
          if (isComma) {
            sample.commaNumbers++;
            sample.groupedByComma += grouped;
          } else {
            sample.dotNumbers++;
            sample.groupedByDot += grouped;
          }
        } else if (!isDot) {
          sample.dotDecimals += Number(reads(DOT_DECIMAL, bytes, cellStart, cellEnd));
          sample.commaDecimals += Number(reads(COMMA_DECIMAL, bytes, cellStart, cellEnd));
        }
      }
      column++;
      if (!cursor.endsRow) continue;
      column = 0;
      rows++;
    }
  } catch (error) {
    // A quote not closed in this prefix may be closed later; the scan finds out.
    if (!isCoded(error, 'damaged-table')) throw error;
  }
  return sample;
}

/** Whether a cell of a number's length is what a pattern describes. */
function reads(pattern: RegExp, bytes: Uint8Array, start: number, end: number): boolean {
  // Most cells are words, and end in a letter.
  if (end - start > GROUPED_LENGTH || (bytes[end - 1] ?? 0) > Ascii.Nine) return false;
  return pattern.test(String.fromCharCode(...bytes.subarray(start, end)));
}
