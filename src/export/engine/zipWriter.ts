import { crc32, deflateRawSync } from 'node:zlib';
import type { OutputFile } from '../../base/node/outputFolder';

/** Minimum bytes of an entry to deflate; smaller ones are stored, which is much faster. */
const MIN_DEFLATED = 1024;

/** Bytes of the write buffer. */
const BUFFER_BYTES = 256 * 1024;

/** Sizes of records in bytes, without names. */
const LOCAL_HEADER = 30;
const DIRECTORY_HEADER = 46;
/** Size of the extra field with an offset of 64 bits. */
const ZIP64_OFFSET = 12;
/** Sizes of the records after the directory, with ZIP64's records and without. */
const END64 = 56 + 20;
const END = 22;

const VERSION = 20;
const VERSION_ZIP64 = 45;
const MADE_ON_UNIX = (3 << 8) | VERSION_ZIP64;
const NAMES_ARE_UTF8 = 1 << 11;
const STORED = 0;
const DEFLATED = 8;
/** Date of every entry: January 1, 2020, so that exports of the same masks are identical. */
const ENTRY_DATE = ((2020 - 1980) << 9) | (1 << 5) | 1;
/** Unix attributes of a regular file, rw-r--r--. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

/**
 * Writes a zip of many small entries (PKWARE's APPNOTE 6.3.10). Adds ZIP64 records if the count or
 * an offset needs them. Memory holds only the directory records and a buffer. Libraries weren't
 * suitable: they take ten times as long per entry, search all entries for each new one, lack ZIP64,
 * or write sizes after stored data, which Java, and so ImageJ, rejects.
 */
export class ZipWriter {
  private buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  /** Number of bytes in the buffer that aren't written yet. */
  private bufferedBytes = 0;
  /** Number of bytes written and buffered. */
  private position: number;
  private readonly directory: Uint8Array[] = [];

  constructor(private readonly file: Pick<OutputFile, 'append' | 'size'>) {
    this.position = file.size;
  }

  /** Adds an entry of less than 4 GB; its name has at most 65,535 bytes of UTF-8. */
  async add(name: string, content: Uint8Array): Promise<void> {
    const deflated = content.length < MIN_DEFLATED ? content : deflateRawSync(content);
    const isSmaller = deflated.length < content.length;
    const data = isSmaller ? deflated : content;
    const fields: EntryFields = {
      name: Buffer.from(name, 'utf8'),
      method: isSmaller ? DEFLATED : STORED,
      crc: crc32(content),
      stored: data.length,
      size: content.length,
    };
    this.directory.push(directoryRecord(fields, this.position));
    await this.append(localHeader(fields));
    await this.append(data);
  }

  /** Writes the directory. */
  async finish(): Promise<void> {
    const start = this.position;
    for (const record of this.directory) await this.append(record);
    await this.append(endRecords(this.directory.length, start, this.position));
    await this.flush();
  }

  private async append(bytes: Uint8Array): Promise<void> {
    if (this.bufferedBytes + bytes.length > this.buffer.length) await this.flush();
    this.position += bytes.length;
    if (bytes.length > this.buffer.length) {
      await this.file.append(bytes);
    } else {
      this.buffer.set(bytes, this.bufferedBytes);
      this.bufferedBytes += bytes.length;
    }
  }

  private async flush(): Promise<void> {
    await this.file.append(this.buffer.subarray(0, this.bufferedBytes));
    this.bufferedBytes = 0;
  }
}

interface EntryFields {
  name: Uint8Array;
  method: number;
  crc: number;
  /** Bytes of the data in the zip. */
  stored: number;
  /** Bytes of the content. */
  size: number;
}

/** Writes the fields that a local header and a directory record have in common. */
function writeFields(
  record: Buffer,
  position: number,
  { name, method, crc, stored, size }: EntryFields,
): void {
  record.writeUInt16LE(NAMES_ARE_UTF8, position);
  record.writeUInt16LE(method, position + 2);
  record.writeUInt16LE(ENTRY_DATE, position + 6);
  record.writeUInt32LE(crc, position + 8);
  record.writeUInt32LE(stored, position + 12);
  record.writeUInt32LE(size, position + 16);
  record.writeUInt16LE(name.length, position + 20);
}

function localHeader(fields: EntryFields): Uint8Array {
  const record = Buffer.alloc(LOCAL_HEADER + fields.name.length);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(VERSION, 4);
  writeFields(record, 6, fields);
  record.set(fields.name, LOCAL_HEADER);
  return record;
}

function directoryRecord(fields: EntryFields, offset: number): Uint8Array {
  const nameEnd = DIRECTORY_HEADER + fields.name.length;
  const isFar = offset >= MAX_32;
  const record = Buffer.alloc(nameEnd + (isFar ? ZIP64_OFFSET : 0));
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_ON_UNIX, 4);
  record.writeUInt16LE(isFar ? VERSION_ZIP64 : VERSION, 6);
  writeFields(record, 8, fields);
  record.writeUInt32LE(ATTRIBUTES, 38);
  record.writeUInt32LE(Math.min(offset, MAX_32), 42);
  record.set(fields.name, DIRECTORY_HEADER);
  if (isFar) {
    record.writeUInt16LE(ZIP64_OFFSET, 30);
    record.writeUInt16LE(1, nameEnd);
    record.writeUInt16LE(8, nameEnd + 2);
    record.writeBigUInt64LE(BigInt(offset), nameEnd + 4);
  }
  return record;
}

/** The records after a directory of `count` entries from `start` to `end`. */
function endRecords(count: number, start: number, end: number): Uint8Array {
  const needs64 = count >= MAX_16 || end >= MAX_32;
  const records = Buffer.alloc((needs64 ? END64 : 0) + END);
  if (needs64) {
    records.writeUInt32LE(0x06064b50, 0);
    // The length of the rest of this record.
    records.writeBigUInt64LE(44n, 4);
    records.writeUInt16LE(MADE_ON_UNIX, 12);
    records.writeUInt16LE(VERSION_ZIP64, 14);
    records.writeBigUInt64LE(BigInt(count), 24);
    records.writeBigUInt64LE(BigInt(count), 32);
    records.writeBigUInt64LE(BigInt(end - start), 40);
    records.writeBigUInt64LE(BigInt(start), 48);
    records.writeUInt32LE(0x07064b50, 56);
    records.writeBigUInt64LE(BigInt(end), 64);
    // The number of disks.
    records.writeUInt32LE(1, 72);
  }
  const position = records.length - END;
  records.writeUInt32LE(0x06054b50, position);
  records.writeUInt16LE(Math.min(count, MAX_16), position + 8);
  records.writeUInt16LE(Math.min(count, MAX_16), position + 10);
  records.writeUInt32LE(Math.min(end - start, MAX_32), position + 12);
  records.writeUInt32LE(Math.min(start, MAX_32), position + 16);
  return records;
}
