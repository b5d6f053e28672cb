import type { FileHandle } from 'node:fs/promises';
import { CodedError } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { DELIMITERS } from '../../columns/csv/csvGrammar';
import { findRowColumns } from '../../columns/rowColumns';
import { checkZip } from '../../archives/node/archiveContents';
import type { DownloadedPart } from '../../service/resultParts';

/**
 * Size of the beginning that shows the type of a file; also the maximum size of an error message in
 * JSON.
 */
const BEGINNING_BYTES = 64 * 1024;

const WEB_PAGE =
  /^\s*<(?:!--|!doctype\b|(?:html|head|body|title|meta|link|script|style|main|section|div|center|form|table|pre|svg|h[1-6])[\s/>])/i;

/** With an XML declaration, or with the root element of an error or of SOAP. */
const XML = /^\s*<(?:\?xml\b|\w{0,40}error\w{0,40}[\s/>]|\w+:envelope[\s/>])/i;

/** The first key of an object, or of an object in a list. */
const JSON_OBJECT = /^\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:/;

/** An empty list or object, or the beginning of one. */
const BLANK = /^[\s[\]{}]*$/;

/** Beginnings of zip archives, gzip, PDF and PNG files. */
const SIGNATURES = ['504b0304', '504b0506', '1f8b', '25504446', '89504e47'];

/**
 * Checks that a downloaded file has the requested type, before it becomes a result. Throws
 * `unexpected-response` for another type of file, such as a login page or a message, and
 * `damaged-archive`. An empty file is accepted, as some storages have one for a result without
 * objects.
 */
export async function checkContent(
  file: FileHandle,
  bytes: number,
  part: DownloadedPart,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (bytes === 0) return;
  const beginning = Buffer.alloc(Math.min(bytes, BEGINNING_BYTES));
  await file.read(beginning, 0, beginning.length, 0);
  const text = textOf(beginning);
  const message = messageKind(text, bytes);
  if (message) throw unexpected(message);
  const isShort = bytes <= BEGINNING_BYTES;
  if (part === 'masks') {
    if (isShort && isText(beginning)) throw unexpected(reason('Received a message instead of the file'));
    await checkZip(file, bytes, signal);
    return;
  }
  if (isBinary(beginning)) throw unexpected(reason("The file received isn't a table"));
  if (isShort ? isPlainMessage(text) : BLANK.test(text))
    throw unexpected(reason('Received a message instead of the file'));
}

/** The reason if this is a message of a server instead of a file. */
function messageKind(text: string, bytes: number): Reason | undefined {
  if (XML.test(text)) return reason('Received a message in {0} instead of the file', 'XML');
  if (WEB_PAGE.test(text)) return reason('Received a web page instead of the file');
  const isWhole = bytes <= BEGINNING_BYTES;
  if (isWhole ? /^\s*[{[]/.test(text) && isJson(text) : JSON_OBJECT.test(text))
    return reason('Received a message in {0} instead of the file', 'JSON');
  return undefined;
}

/** Decodes text: UTF-16 with a byte order mark, else UTF-8. */
function textOf(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether this can't be a table: it has the signature of another format, or zero bytes outside
 * UTF-16.
 */
function isBinary(beginning: Buffer): boolean {
  const start = beginning.toString('hex', 0, 4);
  if (SIGNATURES.some(signature => start.startsWith(signature))) return true;
  const isUtf16 = start.startsWith('fffe') || start.startsWith('feff');
  return !isUtf16 && beginning.includes(0);
}

/** Whether this can't be an archive, whose first four bytes include control characters. */
function isText(bytes: Buffer): boolean {
  return bytes.length >= 4 && !/[^\P{Cc}\s]/u.test(bytes.toString('latin1'));
}

function unexpected(why: Reason): CodedError {
  return new CodedError('unexpected-response', 'The download is not the result', { reason: why });
}

/**
 * Whether a short text is probably a message of a server, such as "Service unavailable", and not a
 * table. A table of one column has a known column name, or rows that each are a word, a number or a
 * quoted text. A table of several columns counts as a message only if its first line ends as a
 * sentence and no row with columns follows.
 */
function isPlainMessage(text: string): boolean {
  const lines = text.split(/[\r\n]+/);
  const [header, ...rows] = lines.map(line => line.trim()).filter(line => line !== '');
  if (header === undefined || hasKnownColumn(header)) return false;
  if (hasColumns(header)) return /\s.*[.!?]$/.test(header) && !rows.some(hasColumns);
  // A table may begin with a title.
  if (rows.length > 1 && rows.every(hasColumns)) return false;
  return rows.length === 0 || !rows.every(isValue);
}

function hasColumns(line: string): boolean {
  return DELIMITERS.some(delimiter => line.includes(delimiter));
}

function hasKnownColumn(header: string): boolean {
  const names = header.split(/[,;\t|]/);
  return names.some(name => /^\W*class\W*$/i.test(name)) || Object.keys(findRowColumns(names)).length > 0;
}

/** Spaces may group the digits of a number. */
function isValue(row: string): boolean {
  return !/\s/.test(row) || /^".*"$/.test(row) || /^[-+]?\d[\d\s.,]*$/.test(row);
}
