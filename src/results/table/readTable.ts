import { isUtf8 } from 'node:buffer';
import { CodedError, isCoded } from '../../base/errors';
import { scanCsv } from '../../formats/csv';
import { runInSlices } from '../slices';
import { readWholeFile } from '../readWholeFile';
import { Table } from './table';

/** Row positions are 32-bit. */
const MAX_BYTES = 0xffff_ffff;

/**
 * Opens a delimited text file: UTF-8 (else Windows-1252), or UTF-16 with a byte order mark. Progress is in bytes scanned.
 * Throws `damaged-table`, `file-too-large`, `not-a-file`, `cancelled`.
 */
export async function openTable(
  path: string,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Table> {
  const bytes = await readWholeFile(path, MAX_BYTES, signal);
  try {
    return await readTable(bytes, signal, done => onProgress?.(done, bytes.length));
  } catch (error) {
    if (!isCoded(error, 'damaged-table')) throw error;
    throw new CodedError(error.code, error.message, { ...error.details, subject: path }, { cause: error });
  }
}

/** Reads a table from the bytes of its file, see openTable; keeps the bytes. */
export async function readTable(
  file: Uint8Array,
  signal?: AbortSignal,
  onProgress?: (done: number) => void,
): Promise<Table> {
  const bytes = withoutUtf16(file);
  if (bytes.subarray(0, 4096).includes(0)) throw notText();
  const layout = await runInSlices(scanCsv(bytes), signal, onProgress);
  return new Table(bytes, layout, isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function withoutUtf16(bytes: Uint8Array): Uint8Array {
  const little = bytes[0] === 0xff && bytes[1] === 0xfe;
  const big = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!little && !big) return bytes;
  // A string holds at most about 512 million units.
  if (bytes.length > 900_000_000)
    throw new CodedError('file-too-large', 'UTF-16 tables are read up to 900 MB');
  return new TextEncoder().encode(new TextDecoder(little ? 'utf-16le' : 'utf-16be').decode(bytes));
}

function notText(): CodedError {
  return new CodedError('damaged-table', 'The file is not text', { reason: 'The file is not a text file.' });
}
