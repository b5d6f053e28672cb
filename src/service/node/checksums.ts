import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * Checksums of a whole file that a storage may send along: Repr-Digest and Content-Digest (RFC
 * 9530), Digest (RFC 3230), Content-MD5 (RFC 1864), Amazon's x-amz-checksum headers and Google's
 * x-goog-hash. An ETag isn't used: it is often an MD5, but not certainly of the file's bytes.
 */

type Algorithm = 'sha512' | 'sha256' | 'sha1' | 'md5' | 'crc64nvme' | 'crc32c' | 'crc32';

/** The expected checksum of a file's bytes. */
export interface Checksum {
  algorithm: Algorithm;
  /** In base64. */
  value: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Lengths of checksums in bytes, best algorithm first. */
const LENGTHS: Readonly<Record<Algorithm, number>> = {
  sha512: 64,
  sha256: 32,
  sha1: 20,
  md5: 16,
  crc64nvme: 8,
  crc32c: 4,
  crc32: 4,
};

/** The best checksum of the sent file in a response's headers; undefined without one. */
export function checksumIn(headers: Headers): Checksum | undefined {
  const checksums = [
    ...digestsIn(headers),
    ...amazonChecksumsIn(headers),
    ...googleChecksumsIn(headers),
    ['md5', text(headers['content-md5'])] as const,
  ];
  for (const algorithm of Object.keys(LENGTHS) as Algorithm[]) {
    for (const [name, value] of checksums) {
      const bytes = Buffer.from(value, 'base64');
      if (name === algorithm && bytes.length === LENGTHS[algorithm])
        return { algorithm, value: bytes.toString('base64') };
    }
  }
  return undefined;
}

function* digestsIn(headers: Headers): Generator<readonly [string, string]> {
  for (const header of ['repr-digest', 'content-digest', 'digest'])
    yield* checksumsInText(text(headers[header]));
}

/**
 * Checksums of the stored object. Skipped if it is stored compressed, as it may be sent
 * decompressed.
 */
function* googleChecksumsIn(headers: Headers): Generator<readonly [string, string]> {
  const stored = text(headers['x-goog-stored-content-encoding']).toLowerCase();
  if (stored === '' || stored === 'identity') yield* checksumsInText(text(headers['x-goog-hash']));
}

/** `sha-256=:YWJj…:` in current headers, `SHA-256=YWJj…` in older ones. */
function* checksumsInText(header: string): Generator<readonly [string, string]> {
  for (const [, name = '', value = ''] of header.matchAll(/([\w-]+)=:?([\w+/=-]+?):?(?:[,;]|\s|$)/g))
    yield [name.toLowerCase().replace(/^(md|sha)-?/, '$1'), value];
}

/**
 * Checksums of Amazon S3. For an object uploaded in parts the value is a checksum of the parts'
 * checksums, which ends in their number: it is skipped.
 */
function* amazonChecksumsIn(headers: Headers): Generator<readonly [string, string]> {
  if (text(headers['x-amz-checksum-type']).toUpperCase() === 'COMPOSITE') return;
  for (const algorithm of ['sha256', 'sha1', 'crc64nvme', 'crc32c', 'crc32']) {
    const value = text(headers[`x-amz-checksum-${algorithm}`]);
    if (!value.includes('-')) yield [algorithm, value];
  }
}

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join() : (header ?? '')).trim();
}

/** Computes a checksum of bytes as they arrive. */
export class RunningChecksum {
  private readonly running: Hash | RunningCrc;

  constructor(private readonly expected: Checksum) {
    this.running = start(expected.algorithm);
  }

  update(bytes: Uint8Array): void {
    this.running.update(bytes);
  }

  /** Whether the checksum of all bytes so far is the expected one. Ends the computation. */
  matches(): boolean {
    const result = 'digest' in this.running ? this.running.digest() : this.running.end();
    return Buffer.from(result).toString('base64') === this.expected.value;
  }
}

function start(algorithm: Algorithm): Hash | RunningCrc {
  switch (algorithm) {
    case 'crc32':
      return new Crc32();
    case 'crc32c':
      return new Crc32c();
    case 'crc64nvme':
      return new Crc64Nvme();
    default:
      return createHash(algorithm);
  }
}

class Crc32 implements RunningCrc {
  private crc = 0;

  update(bytes: Uint8Array): void {
    this.crc = crc32(bytes, this.crc);
  }

  end(): Uint8Array {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.crc);
    return bytes;
  }
}

/*
 * Cyclic redundancy checks that zlib doesn't have, bit-reflected and inverted before and after:
 * CRC-32C (RFC 3720, appendix B.4) and CRC-64/NVME (NVM Express, NVM Command Set Specification).
 * Each byte is looked up in a table.
 */

/** A cyclic redundancy check of bytes as they arrive. */
interface RunningCrc {
  update(bytes: Uint8Array): void;
  /** The check of all bytes so far, the highest byte first. */
  end(): Uint8Array;
}

/** Reflected polynomials. */
const CASTAGNOLI = 0x82f63b78n;
const NVME = 0x9a6c9329ac4bc9b5n;

class Crc32c implements RunningCrc {
  private readonly table = crcTable(CASTAGNOLI).low;
  private crc = -1;

  update(bytes: Uint8Array): void {
    const { table } = this;
    let { crc } = this;
    for (let i = 0; i < bytes.length; i++) {
      crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
    }
    this.crc = crc;
  }

  end(): Uint8Array {
    return bigEndian(~this.crc);
  }
}

class Crc64Nvme implements RunningCrc {
  private readonly table = crcTable(NVME);
  private low = -1;
  private high = -1;

  update(bytes: Uint8Array): void {
    const { low: lows, high: highs } = this.table;
    let { low, high } = this;
    for (let i = 0; i < bytes.length; i++) {
      const index = (low ^ (bytes[i] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (lows[index] as number);
      high = (high >>> 8) ^ (highs[index] as number);
    }
    this.low = low;
    this.high = high;
  }

  end(): Uint8Array {
    return bigEndian(~this.high, ~this.low);
  }
}

/** The table of a polynomial of up to 64 bits, by byte, in two halves. */
function crcTable(polynomial: bigint): { low: Int32Array; high: Int32Array } {
  const low = new Int32Array(256);
  const high = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let remainder = BigInt(byte);
    for (let bit = 0; bit < 8; bit++)
      remainder = remainder & 1n ? (remainder >> 1n) ^ polynomial : remainder >> 1n;
    low[byte] = Number(BigInt.asIntN(32, remainder));
    high[byte] = Number(BigInt.asIntN(32, remainder >> 32n));
  }
  return { low, high };
}

function bigEndian(...words: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [index, word] of words.entries()) view.setInt32(4 * index, word);
  return new Uint8Array(view.buffer);
}
