import { Unzlib } from 'fflate';

/** Chunks that the samples depend on; others may hold texts or profiles that inflate to anything. */
const NEEDED: ReadonlySet<string> = new Set(['IHDR', 'IDAT', 'IEND']);
/** Those of images whose samples are places in a palette; in others they suggest colors and name a transparent one. */
const OF_PALETTE: ReadonlySet<string> = new Set(['PLTE', 'tRNS']);
/** Compressed bytes that are inflated at a time: each may become a thousand. */
const STEP = 16 * 1024;

/** One chunk of a PNG file: length 4 bytes, type 4, data, CRC 4. */
interface PngChunk {
  type: string;
  /** Offset of its length field, and of the byte after its CRC. */
  start: number;
  end: number;
}

function* chunksOf(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 8; start + 12 <= bytes.length;) {
    const end = start + 12 + view.getUint32(start);
    yield { type: String.fromCharCode(...bytes.subarray(start + 4, start + 8)), start, end };
    start = end;
  }
}

/** The file with only the chunks that its samples depend on, in their order. Throws RangeError where one is cut off. */
export function neededChunks(bytes: Uint8Array, hasPalette: boolean): Uint8Array {
  const parts = [{ start: 0, end: 8 }];
  let length = 8;
  for (const { type, start, end } of chunksOf(bytes)) {
    if (!NEEDED.has(type) && !(hasPalette && OF_PALETTE.has(type))) continue;
    if (end > bytes.length) throw new RangeError(`bytes ${start} to ${end} of ${bytes.length}`);
    const last = parts.at(-1);
    if (last?.end === start) last.end = end;
    else parts.push({ start, end });
    length += end - start;
  }
  const needed = new Uint8Array(length);
  let at = 0;
  for (const { start, end } of parts) {
    const part = bytes.subarray(start, end);
    needed.set(part, at);
    at += part.length;
  }
  return needed;
}

/** Whether a file begins with a header and has no other: where it has, decoders differ in which one counts. */
export function hasOneHeader(bytes: Uint8Array): boolean {
  let count = 0;
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type !== 'IHDR') continue;
    if (start !== 8 || end - start !== 25) return false;
    count++;
  }
  return count === 1;
}

/** CRC-32 of each byte by itself (PNG, annex D). */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0);
  return crc;
});

/** Whether the CRC of each chunk is that of its type and data. */
export function hasValidCrcs(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { start, end } of chunksOf(bytes)) {
    let crc = -1;
    for (let at = start + 4; at < end - 4; at++)
      crc = (crc >>> 8) ^ (CRC_OF_BYTE[(crc ^ (bytes[at] as number)) & 0xff] as number);
    if (view.getUint32(end - 4) !== ~crc >>> 0) return false;
  }
  return true;
}

/** The compressed image data, of all their chunks. */
export function imageData(bytes: Uint8Array): Uint8Array {
  const parts = [...chunksOf(bytes)].filter(({ type }) => type === 'IDAT');
  const data = new Uint8Array(parts.reduce((sum, { start, end }) => sum + end - start - 12, 0));
  let at = 0;
  for (const { start, end } of parts) {
    data.set(bytes.subarray(start + 8, end - 4), at);
    at += end - start - 12;
  }
  return data;
}

/** The file with other image data that aren't interlaced; the CRCs of changed chunks are left out. */
export function withImageData(bytes: Uint8Array, data: Uint8Array): Uint8Array {
  const chunks = [...chunksOf(bytes)];
  const firstData = chunks.find(({ type }) => type === 'IDAT');
  const kept = chunks.filter(({ type }) => type !== 'IDAT');
  const file = new Uint8Array(
    8 + kept.reduce((sum, { start, end }) => sum + end - start, 0) + 12 + data.length,
  );
  file.set(bytes.subarray(0, 8));
  let at = 8;
  for (const { type, start, end } of kept) {
    if (type === 'IEND' && firstData) {
      new DataView(file.buffer).setUint32(at, data.length);
      file.set(bytes.subarray(firstData.start + 4, firstData.start + 8), at + 4);
      file.set(data, at + 8);
      at += 12 + data.length;
    }
    file.set(bytes.subarray(start, end), at);
    // Interlacing is the last byte of the header.
    if (type === 'IHDR') file[at + 20] = 0;
    at += end - start;
  }
  return file;
}

/**
 * Whether the image data inflate to no more than `maxBytes` bytes. They are only counted: the decoder would collect all of
 * them, whatever the size in the header.
 */
export function inflatesWithin(bytes: Uint8Array, maxBytes: number): boolean {
  let count = 0;
  const inflator = new Unzlib(chunk => {
    count += chunk.length;
  });
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type !== 'IDAT') continue;
    const last = Math.min(end - 4, bytes.length);
    for (let at = start + 8; at < last; at += STEP) {
      inflator.push(bytes.subarray(at, Math.min(last, at + STEP)));
      if (count > maxBytes) return false;
    }
  }
  return true;
}
