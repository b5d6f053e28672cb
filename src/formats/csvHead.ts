import { isCoded } from '../base/errors';
import { CsvCursor } from './csvCursor';
import { findDialect } from './csvDialect';
import { cellNumber, missingKind } from './csvNumber';
import { NUMBER, TEXT } from './csvScan';

const SAMPLED_ROWS = 200;

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
  const decimalComma =
    options.decimalComma ?? (delimiter !== ',' && sample.commaNumbers > 0 && sample.dotNumbers === 0);
  const seen = decimalComma ? sample.commaText : sample.dotText;
  const modes = seen.map(isText => (isText !== 0 ? TEXT : NUMBER));
  return { delimiter, decimalComma, header, dataStart, modes };
}

interface Sample {
  /** 1 for columns with a cell that is no number under a decimal mark of this kind. */
  dotText: Uint8Array;
  commaText: Uint8Array;
  /** Cells that are numbers only with a comma, or only with a dot. */
  commaNumbers: number;
  dotNumbers: number;
}

function sampleRows(cursor: CsvCursor, bytes: Uint8Array, columns: number, isEnd: boolean): Sample {
  const sample: Sample = {
    dotText: new Uint8Array(columns),
    commaText: new Uint8Array(columns),
    commaNumbers: 0,
    dotNumbers: 0,
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
        if (isComma && !isDot) sample.commaNumbers++;
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
