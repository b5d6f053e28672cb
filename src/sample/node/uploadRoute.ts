import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { FilesystemStore } from './filesystemStore';
import { type Exchange, httpError } from './httpRouter';
import { randomId } from './serviceRecord';

const MAX_NAME_LENGTH = 255;
const MAX_FOLDER_DEPTH = 50;

/**
 * Receives one file into the filesystem. An existing file is not replaced: a second item of the same name is added,
 * since jobs may refer to the first.
 */
export async function handleUpload(
  { request }: Pick<Exchange, 'request'>,
  filesystem: FilesystemStore,
  uploadsDirectory: string,
  maxBytes: number,
): Promise<{ id: string; __t: string }> {
  const path = join(uploadsDirectory, `${randomId()}.part`);
  const { fields, bytes } = await receiveUpload(request, path, maxBytes);
  try {
    const name = checkFileName(fields.get('fileName'));
    const folder = readFolder(fields.get('destinationFolder') ?? '');
    const item = await filesystem.add({ name, path, size: bytes }, folder);
    return { id: item.id, __t: item.__t };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function checkFileName(name: string | undefined): string {
  if (name === undefined || name === '') throw httpError(400, 'fileName is required');
  checkName('fileName', name);
  return name;
}

/** The names of the folders from the root down; `a//b/` and `/a/b` mean the same as `a/b`. */
function readFolder(path: string): string[] {
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  if (names.length > MAX_FOLDER_DEPTH) {
    throw httpError(400, `destinationFolder: more than ${MAX_FOLDER_DEPTH} folders deep`);
  }
  for (const name of names) checkName('destinationFolder', name);
  return names;
}

function checkName(field: string, name: string): void {
  if (name === '.' || name === '..') throw httpError(400, `${field}: "${name}" is not a name`);
  if (name.includes('/')) throw httpError(400, `${field}: a name may not contain a slash`);
  // oxlint-disable-next-line no-control-regex -- these are the characters to reject
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw httpError(400, `${field}: a name may not contain control characters`);
  if (name.length > MAX_NAME_LENGTH) {
    throw httpError(400, `${field}: a name may have at most ${MAX_NAME_LENGTH} characters`);
  }
}

/** The content of an upload: its text fields, and the number of bytes written for the part `upload`. */
interface ReceivedUpload {
  fields: Map<string, string>;
  bytes: number;
}

/** Bytes for boundaries, headers and text fields besides a file of the maximum size. */
const OVERHEAD = 1024 * 1024;

const limits = { files: 1, fields: 20, parts: 21, fieldSize: 16 * 1024, headerPairs: 100 };

/**
 * Reads a multipart/form-data request and streams its part `upload` to a new file at `path`, in any order of parts.
 * Throws 400 for an incomplete or invalid form, 413 for a file of more than `maxBytes`; then, and when the client
 * disconnects, nothing is left at `path`.
 */
async function receiveUpload(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<ReceivedUpload> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes + OVERHEAD) throw tooLarge(maxBytes);
  try {
    return await parseForm(request, path, maxBytes);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function parseForm(request: IncomingMessage, path: string, maxBytes: number): Promise<ReceivedUpload> {
  const form = newForm(request, maxBytes);
  const fields = new Map<string, string>();
  let file: (Readable & { bytesRead: number }) | undefined;
  let written: Promise<void> | undefined;

  const parsed = new Promise<void>((resolve, reject) => {
    form.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) reject(httpError(400, `The field "${name}" is too long`));
      else fields.set(name, value);
    });
    form.on('file', (_name, stream) => {
      file = stream;
      stream.on('error', reject);
      stream.once('limit', () => reject(tooLarge(maxBytes)));
      written = pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      written.catch(reject);
    });
    form.on('filesLimit', () => reject(httpError(400, 'Only one part "upload" was expected')));
    form.on('fieldsLimit', () => reject(httpError(400, 'The form has too many fields')));
    form.on('partsLimit', () => reject(httpError(400, 'The form has too many parts')));
    form.on('error', error => reject(unreadable(error)));
    form.on('finish', resolve);
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(httpError(400, 'The client disconnected before the upload was complete'));
    });
    request.pipe(form);
  });

  try {
    await parsed;
    await written;
  } catch (error) {
    request.unpipe(form);
    // The rest is read and discarded, so that the client can read the response.
    request.resume();
    // With an error: a stream that has all its data but was not read to its end would keep the pipeline waiting.
    file?.destroy(error instanceof Error ? error : new Error(String(error)));
    await Promise.allSettled([written]);
    throw error;
  }
  if (!file) throw httpError(400, 'The part "upload" with the content of the file is missing');
  return { fields, bytes: file.bytesRead };
}

function newForm(request: IncomingMessage, maxBytes: number) {
  const contentType = request.headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { ...limits, fileSize: maxBytes },
      // By its name alone: some clients omit the file name of the part, others add one to text fields.
      isPartAFile: name => name === 'upload',
    });
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return httpError(400, `A multipart/form-data body was expected: ${reason}`);
}

function tooLarge(maxBytes: number) {
  const size = maxBytes >= 1024 ** 3 ? `${maxBytes / 1024 ** 3} GB` : `${maxBytes} bytes`;
  return httpError(413, `A file may have at most ${size}`);
}
