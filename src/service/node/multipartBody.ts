import { randomUUID } from 'node:crypto';
import type { CancelSignal } from '../../base/canceling';
import { CodedError } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';

interface MultipartFile {
  /** Name of the form field. */
  field: string;
  fileName: string;
  size: number;
  open(signal: CancelSignal): AsyncIterable<Uint8Array>;
}

interface MultipartBody {
  readonly contentType: string;
  readonly contentLength: number;
  /** Whether all bytes were yielded. */
  readonly complete: boolean;
  /**
   * Yields the bytes, once. `onSent` receives the number of bytes of the file that the receiver has
   * read. Throws `file-changed` if the file doesn't have exactly `size` bytes, before the end of
   * the body is sent.
   */
  open(signal: CancelSignal, onSent: (bytes: number) => void): AsyncGenerator<Uint8Array, void, undefined>;
  /** All bytes in one buffer, from a file in memory; replaces `open`. */
  whole(content: FileInMemory): Buffer;
}

/** A multipart/form-data body (RFC 7578, WHATWG's escapes): fields in order, then the file. */
export function multipartBody(
  fields: Readonly<Record<string, string | undefined>>,
  file: MultipartFile,
  // Random: no file contains it, not even a stored body.
  boundary = `----image-analysis-${randomUUID()}`,
): MultipartBody {
  return new FormBody(fields, file, boundary);
}

// A class, as there may be thousands of bodies.
class FormBody implements MultipartBody {
  readonly contentType: string;
  readonly contentLength: number;
  complete = false;
  private readonly head: string;
  private readonly headBytes: number;
  private readonly tail: string;

  constructor(
    fields: Readonly<Record<string, string | undefined>>,
    private readonly file: MultipartFile,
    boundary: string,
  ) {
    let head = '';
    for (const name in fields) {
      const value = fields[name];
      if (value !== undefined)
        head += `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${normalizeBreaks(value)}\r\n`;
    }
    this.head =
      `${head}--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(file.field)}"; ` +
      `filename="${escapeName(file.fileName)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    this.tail = `\r\n--${boundary}--\r\n`;
    this.headBytes = Buffer.byteLength(this.head);
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    // The tail is ASCII.
    this.contentLength = this.headBytes + file.size + this.tail.length;
  }

  async *open(
    signal: CancelSignal,
    onSent: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { file } = this;
    yield Buffer.from(this.head);
    let sent = 0;
    for await (const chunk of file.open(signal)) {
      if (sent + chunk.byteLength > file.size) throw changedError(file, reason('The file grew'));
      yield chunk;
      sent += chunk.byteLength;
      onSent(sent);
    }
    if (sent < file.size) throw changedError(file, reason('The file shrank'));
    this.complete = true;
    yield Buffer.from(this.tail);
  }

  whole(content: FileInMemory): Buffer {
    this.complete = true;
    return surrounded(content, this.head, this.headBytes, this.tail);
  }
}

function escapeName(name: string): string {
  if (!/[\r\n"]/.test(name)) return name;
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

function normalizeBreaks(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/\r\n|\r|\n/g, '\r\n') : value;
}

function changedError({ fileName }: MultipartFile, why: Reason): CodedError {
  return new CodedError('file-changed', 'The file changed while it was sent', {
    subject: fileName,
    reason: why,
  });
}

/** A short file in memory, with space around it for the other bytes of a request's body. */
export interface FileInMemory {
  /** Contains only the file; its sender may write the bytes around it. */
  memory: Buffer;
  /** Start of the file in `memory`. */
  start: number;
  /** Bytes. */
  size: number;
  /** Called when the memory can be reused; not called if that isn't certain. */
  release?: () => void;
}

/** Space for the form around a file, in bytes; enough unless its name is very long. */
export const ROOM_BEFORE = 2048;
export const ROOM_AFTER = 256;

/** Memory for a file of this size. */
export function memoryFor(size: number): FileInMemory {
  return { memory: Buffer.allocUnsafeSlow(ROOM_BEFORE + size + ROOM_AFTER), start: ROOM_BEFORE, size };
}

/** Memory with a copy of a file's bytes. */
export function memoryWith(bytes: Uint8Array): FileInMemory {
  const file = memoryFor(bytes.byteLength);
  bytesOf(file).set(bytes);
  return file;
}

/** The bytes of the file alone. */
export function bytesOf({ memory, start, size }: FileInMemory): Buffer {
  return memory.subarray(start, start + size);
}

/**
 * Adds texts before and after the file, in the same memory if they fit. `headBytes`: size of `head`
 * in UTF-8.
 */
function surrounded(file: FileInMemory, head: string, headBytes: number, tail: string): Buffer {
  const { memory, start, size } = file;
  const bodyStart = start - headBytes;
  const fileEnd = start + size;
  if (bodyStart < 0 || fileEnd + Buffer.byteLength(tail) > memory.byteLength)
    return Buffer.concat([Buffer.from(head), bytesOf(file), Buffer.from(tail)]);
  memory.write(head, bodyStart);
  return memory.subarray(bodyStart, fileEnd + memory.write(tail, fileEnd));
}
