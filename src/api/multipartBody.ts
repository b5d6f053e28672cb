import { randomBytes } from 'node:crypto';
import { CodedError } from '../base/errors';

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
   * The bytes; once only. `onSent` hears how many bytes of the file the receiver has taken so far. Throws `file-changed`
   * when the file does not yield exactly `size` bytes: before any surplus, and before the end is marked.
   */
  open(signal: AbortSignal, onSent: (bytes: number) => void): AsyncGenerator<Uint8Array, void, undefined>;
}

/** A multipart/form-data body (RFC 7578, names escaped as the WHATWG says): the fields in order, then the file. */
export function multipartBody(
  fields: readonly (readonly [name: string, value: string])[],
  file: MultipartFile,
  boundary = `----image-analysis-${randomBytes(16).toString('hex')}`,
): MultipartBody {
  const encoder = new TextEncoder();
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${normaliseBreaks(value)}\r\n`,
  );
  const head = encoder.encode(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(file.field)}"; ` +
      `filename="${escapeName(file.fileName)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  let complete = false;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.byteLength + file.size + tail.byteLength,
    get complete() {
      return complete;
    },
    async *open(signal, onSent) {
      yield head;
      let sent = 0;
      for await (const chunk of file.open(signal)) {
        if (sent + chunk.byteLength > file.size) throw changed(file, 'It has grown');
        yield chunk;
        sent += chunk.byteLength;
        onSent(sent);
      }
      if (sent < file.size) throw changed(file, 'It has shrunk');
      complete = true;
      yield tail;
    },
  };
}

function escapeName(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

function normaliseBreaks(value: string): string {
  return value.replace(/\r\n|\r|\n/g, '\r\n');
}

function changed({ fileName }: MultipartFile, reason: string): CodedError {
  return new CodedError('file-changed', 'The file changed while it was sent', { subject: fileName, reason });
}
