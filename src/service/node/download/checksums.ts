import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Crc32c, Crc64Nvme, type RunningCrc } from './crc';

/*
 * Checksums of a whole file that a storage may send along: Repr-Digest and Content-Digest (RFC 9530), Digest (RFC 3230),
 * Content-MD5 (RFC 1864), Amazon's x-amz-checksum headers and Google's x-goog-hash. An ETag is none: it often is an MD5,
 * but of what isn't said.
 */

type Algorithm = 'sha512' | 'sha256' | 'sha1' | 'md5' | 'crc64nvme' | 'crc32c' | 'crc32';

/** What the bytes of a file must result in. */
export interface Checksum {
  algorithm: Algorithm;
  /** In base64. */
  value: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Best first, with the length of their values in bytes. */
const LENGTHS: Readonly<Record<Algorithm, number>> = {
  sha512: 64,
  sha256: 32,
  sha1: 20,
  md5: 16,
  crc64nvme: 8,
  crc32c: 4,
  crc32: 4,
};

/** The best checksum that the headers of a response have for the file as it is sent; undefined without one. */
export function checksumIn(headers: Headers): Checksum | undefined {
  const found = [
    ...digestsIn(headers),
    ...amazonsIn(headers),
    ...googlesIn(headers),
    ['md5', text(headers['content-md5'])] as const,
  ];
  for (const algorithm of Object.keys(LENGTHS) as Algorithm[]) {
    for (const [name, value] of found) {
      const bytes = Buffer.from(value, 'base64');
      if (name === algorithm && bytes.length === LENGTHS[algorithm])
        return { algorithm, value: bytes.toString('base64') };
    }
  }
  return undefined;
}

function* digestsIn(headers: Headers): Generator<readonly [string, string]> {
  for (const header of ['repr-digest', 'content-digest', 'digest']) yield* valuesIn(text(headers[header]));
}

/** They are of the object as it is stored; one that is stored compressed may be sent as it was before. */
function* googlesIn(headers: Headers): Generator<readonly [string, string]> {
  const stored = text(headers['x-goog-stored-content-encoding']).toLowerCase();
  if (stored === '' || stored === 'identity') yield* valuesIn(text(headers['x-goog-hash']));
}

/** `sha-256=:YWJj…:` in today's headers, `SHA-256=YWJj…` in older ones. */
function* valuesIn(digests: string): Generator<readonly [string, string]> {
  for (const [, name = '', value = ''] of digests.matchAll(/([\w-]+)=:?([\w+/=-]+?):?(?:[,;]|\s|$)/g))
    yield [name.toLowerCase().replace(/^(md|sha)-?/, '$1'), value];
}

/** That of an object uploaded in parts is one of the parts' checksums, and ends in their number. */
function* amazonsIn(headers: Headers): Generator<readonly [string, string]> {
  if (text(headers['x-amz-checksum-type']).toUpperCase() === 'COMPOSITE') return;
  for (const algorithm of ['sha256', 'sha1', 'crc64nvme', 'crc32c', 'crc32']) {
    const value = text(headers[`x-amz-checksum-${algorithm}`]);
    if (!value.includes('-')) yield [algorithm, value];
  }
}

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join() : (header ?? '')).trim();
}

/** The checksum of bytes as they come. */
export class RunningChecksum {
  private readonly running: Hash | RunningCrc;

  constructor(private readonly expected: Checksum) {
    this.running = start(expected.algorithm);
  }

  update(bytes: Uint8Array): void {
    this.running.update(bytes);
  }

  /** Whether all bytes so far result in what is expected; ends it. */
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
