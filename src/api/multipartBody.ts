import { randomUUID } from 'node:crypto';
import { CodedError } from '../base/errors';
import { reason, type Reason } from '../base/reasons';
import { surrounded, type FileInMemory } from './fileInMemory';

export interface MultipartFile {
  /** Name of the form field. */
  field: string;
  fileName: string;
  size: number;
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface MultipartBody {
  contentType: string;
  contentLength: number;
  /** Whether the last bytes have been handed out. */
  readonly complete: boolean;
  /**
   * The bytes; once only. `onSent` gets how many bytes of the file the receiver has read so far. Throws `file-changed`
   * when the file does not yield exactly `size` bytes: before any surplus, and before the end is marked.
   */
  open(signal: AbortSignal, onSent: (bytes: number) => void): AsyncGenerator<Uint8Array, void, undefined>;
  /** All bytes in one buffer, of a file that was read already; in place of `open`. */
  whole(content: FileInMemory): Buffer;
}

/** A multipart/form-data body (RFC 7578, names escaped as the WHATWG says): the fields in order, then the file. */
export function multipartBody(
  fields: readonly (readonly [name: string, value: string])[],
  file: MultipartFile,
  boundary = `----image-analysis-${randomUUID()}`,
): MultipartBody {
  let parts = '';
  for (const [name, value] of fields)
    parts += `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${normalizeBreaks(value)}\r\n`;
  const head =
    `${parts}--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(file.field)}"; ` +
    `filename="${escapeName(file.fileName)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const headBytes = Buffer.byteLength(head);
  let complete = false;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: headBytes + file.size + Buffer.byteLength(tail),
    get complete() {
      return complete;
    },
    async *open(signal, onSent) {
      yield Buffer.from(head);
      let sent = 0;
      for await (const chunk of file.open(signal)) {
        if (sent + chunk.byteLength > file.size) throw changed(file, reason('file-grew'));
        yield chunk;
        sent += chunk.byteLength;
        onSent(sent);
      }
      if (sent < file.size) throw changed(file, reason('file-shrank'));
      complete = true;
      yield Buffer.from(tail);
    },
    whole(content) {
      complete = true;
      return surrounded(content, head, headBytes, tail);
    },
  };
}

function escapeName(name: string): string {
  if (!/[\r\n"]/.test(name)) return name;
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

function normalizeBreaks(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/\r\n|\r|\n/g, '\r\n') : value;
}

function changed({ fileName }: MultipartFile, why: Reason): CodedError {
  return new CodedError('file-changed', 'The file changed while it was sent', {
    subject: fileName,
    reason: why,
  });
}
