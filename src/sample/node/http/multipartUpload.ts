import { Busboy } from '@fastify/busboy';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { httpError } from './httpError';

/** The content of an upload: its text fields, and the number of bytes written for the part `upload`. */
export interface ReceivedUpload {
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
export async function receiveUpload(
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
