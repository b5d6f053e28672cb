import { reason } from '../../base/reasons';
import { damagedData, DecodingError } from '../unreadableRaster';

/** Codes of TIFF's LZW: 256 clears the table, 257 ends the data; codes are read from the highest bit on. */
const CLEAR = 256;
const END = 257;
const MAX_CODES = 4096;

/** Unpacks TIFF's LZW into `out`. Returns the bytes written: never more than fit. Throws on invalid codes. */
export function unpackLzw(bytes: Uint8Array, out: Uint8Array): number {
  // An entry is the bytes that an earlier code wrote, and one more: it is stored as its position in `out`.
  const starts = new Int32Array(MAX_CODES);
  const lengths = new Int32Array(MAX_CODES);
  let codes = 258;
  let width = 9;
  let bits = 0;
  let bitCount = 0;
  let written = 0;
  // Place and length of what the last code wrote; no length right after a clear.
  let lastStart = 0;
  let lastLength = 0;
  // Before TIFF 6.0 codes were packed from the lowest bit on: a clear is then 0, 1.
  if (bytes[0] === 0 && ((bytes[1] ?? 0) & 1) === 1) throw new DecodingError(reason('old-lzw'));
  for (let at = 0; written < out.length;) {
    while (bitCount < width) {
      if (at >= bytes.length) return written;
      bits = ((bits << 8) | (bytes[at++] ?? 0)) & 0xffffff;
      bitCount += 8;
    }
    const code = (bits >> (bitCount - width)) & ((1 << width) - 1);
    bitCount -= width;
    if (code === END) return written;
    if (code === CLEAR) {
      codes = 258;
      width = 9;
      lastLength = 0;
      continue;
    }
    const start = written;
    if (code < CLEAR) {
      out[written++] = code;
    } else if (code < codes) {
      written = repeat(out, starts[code] ?? 0, lengths[code] ?? 0, written);
    } else if (code === codes && lastLength > 0) {
      // The entry that this very code completes: what was written last, and its first byte again.
      written = repeat(out, lastStart, lastLength, written);
      if (written < out.length) out[written++] = out[lastStart] ?? 0;
    } else {
      throw damagedData('LZW');
    }
    if (lastLength > 0 && codes < MAX_CODES) {
      starts[codes] = lastStart;
      lengths[codes] = lastLength + 1;
      codes++;
      // TIFF widens its codes one entry early.
      if (codes + 1 >= 1 << width && width < 12) width++;
    }
    lastStart = start;
    lastLength = written - start;
  }
  return written;
}

function repeat(out: Uint8Array, from: number, length: number, to: number): number {
  const end = Math.min(out.length, to + length);
  // Byte by byte: an entry's last byte may be the first one written now.
  for (let i = from; to < end; i++) out[to++] = out[i] ?? 0;
  return to;
}

/** Unpacks PackBits into `out`; returns the bytes written. */
export function unpackPackBits(bytes: Uint8Array, out: Uint8Array): number {
  let written = 0;
  for (let at = 0; at < bytes.length && written < out.length;) {
    const head = bytes[at++] ?? 0;
    if (head === 128) continue;
    if (head < 128) {
      const length = Math.min(head + 1, out.length - written);
      if (at + length > bytes.length) throw damagedData('PackBits');
      out.set(bytes.subarray(at, at + length), written);
      at += head + 1;
      written += length;
    } else {
      const end = Math.min(out.length, written + 257 - head);
      out.fill(bytes[at++] ?? 0, written, end);
      written = end;
    }
  }
  return written;
}
