import { isCoded } from '../base/errors';
import { CsvCursor } from './csvCursor';
import { findDialect } from './csvDialect';
import { cellNumber, missingKind } from './csvNumber';
import { NUMBER, TEXT } from './csvCells';

const SAMPLED_ROWS = 200;
const GROUPED = /^[\s"]*[+-]?[1-9]\d{0,2},\d{3}[\s"]*$/;
const GROUPED_LENGTH = 24;

export interface HeadOptions {
  delimiter?: string;
  decimalComma?: boolean;
}

/** What the beginning of a delimited text says about the rest. */
export interface CsvHead {
  delimiter: string;
  decimalComma: boolean;
  /** The header's cells as byte ranges, quotes included. */
  header: { start: number; end: number; quoted: boolean }[];
  /** First byte after the header. */
  dataStart: number;
  /** NUMBER or TEXT for each column, as the first rows have it; a column of numbers may be proved wrong later. */
  modes: Uint8Array;
}

/**
 * Reads the header, the first line that is not blank, and looks at the first rows. Undefined when `bytes` end before the
 * header does and `isEnd` is not set. Throws `damaged-table` for a quote in the header that is never closed.
 */
export function readHead(bytes: Uint8Array, isEnd: boolean, options: HeadOptions = {}): CsvHead | undefined {
  const found = findDialect(bytes);
  const delimiter = options.delimiter ?? found.delimiter;
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), found.start);
  const header: CsvHead['header'] = [];
  let complete = false;
  try {
    while (cursor.next()) {
      header.push({ start: cursor.cellStart, end: cursor.cellEnd, quoted: cursor.quoted });
      if (!cursor.endsRow) continue;
      complete = cursor.position < bytes.length;
      if (header.length > 1 || cursor.cellStart !== cursor.cellEnd) break;
      header.length = 0;
    }
  } catch (error) {
    if (isEnd || !isCoded(error, 'damaged-table')) throw error;
    return undefined;
  }
  if (!complete && !isEnd) return undefined;
  const dataStart = cursor.position;
  const sample = sampleRows(cursor, bytes, header.length, isEnd);
  const decimalComma = options.decimalComma ?? hasDecimalComma(delimiter, sample);
  const seen = decimalComma ? sample.commaText : sample.dotText;
  const modes = seen.map(isText => (isText !== 0 ? TEXT : NUMBER));
  return { delimiter, decimalComma, header, dataStart, modes };
}

/**
 * Whether a comma marks decimals. Beside semicolons it does; elsewhere "1,234" may as well be grouped thousands, so that
 * some number has to say more.
 */
function hasDecimalComma(delimiter: string, sample: Sample): boolean {
  if (delimiter === ',' || sample.dotNumbers > 0) return false;
  return sample.commaNumbers > (delimiter === ';' ? 0 : sample.groupedNumbers);
}

interface Sample {
  /** 1 for columns with a cell that is no number under a decimal mark of this kind. */
  dotText: Uint8Array;
  commaText: Uint8Array;
  /** Cells that are numbers only with a comma, or only with a dot. */
  commaNumbers: number;
  dotNumbers: number;
  /** Of those with a comma, the ones that could be thousands in groups. */
  groupedNumbers: number;
}

function sampleRows(cursor: CsvCursor, bytes: Uint8Array, columns: number, isEnd: boolean): Sample {
  const sample: Sample = {
    dotText: new Uint8Array(columns),
    commaText: new Uint8Array(columns),
    commaNumbers: 0,
    dotNumbers: 0,
    groupedNumbers: 0,
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
        if (isComma && !isDot) {
          sample.commaNumbers++;
          if (isGrouped(bytes, cellStart, cellEnd)) sample.groupedNumbers++;
        }
        if (isDot && !isComma) sample.dotNumbers++;
      }
      column++;
      if (!cursor.endsRow) continue;
      column = 0;
      rows++;
    }
  } catch (error) {
    // A quote that the prefix does not close, or nothing does: the scan will tell.
    if (!isCoded(error, 'damaged-table')) throw error;
  }
  return sample;
}

/** Whether a cell reads as one to three digits, a comma and three more, such as 12,345. */
function isGrouped(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > GROUPED_LENGTH) return false;
  return GROUPED.test(String.fromCharCode(...bytes.subarray(start, end)));
}
