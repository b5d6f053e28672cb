import { isCoded } from '../base/errors';
import { reason } from '../base/reasons';
import { maskFromRuns, type ObjectMask } from './objectMask';
import { decodeCounts, maskPixels, readPlainRuns, type Runs, unreadableMask } from './runLengthEncoding';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readNumbers(value: unknown, length: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== length) return undefined;
  const numbers = value.filter(item => typeof item === 'number' && Number.isSafeInteger(item));
  return numbers.length === length ? numbers : undefined;
}

function readCounts(counts: unknown, height: number, width: number): Runs {
  if (Array.isArray(counts)) return readPlainRuns(counts, height, width);
  if (typeof counts !== 'string') throw unreadableMask(reason('The run-length encoding has no runs'));
  const decoded = decodeBase64(counts);
  // Compressed runs can be valid base64 by chance: decoded, they are no compressed runs.
  if (!decoded?.every(code => code >= 48 && code <= 111)) return decodeCounts(counts, height, width);
  try {
    return decodeCounts(decoded, height, width);
  } catch (error) {
    if (!isCoded(error)) throw error;
    try {
      return decodeCounts(counts, height, width);
    } catch (plainError) {
      // The documented form is base64: its reason is the useful one.
      throw isCoded(plainError) ? error : plainError;
    }
  }
}

/**
 * Reads the mask of an object record of a masks archive. `rle.size` is either the image's [height,
 * width] or that of `bbox`; counts are base64 of compressed runs, compressed runs, or plain runs.
 * Throws `damaged-archive`, with the reason, when the mask can't be read reliably.
 */
export function readObjectMask(record: unknown, imageWidth: number, imageHeight: number): ObjectMask {
  if (!isRecord(record)) throw unreadableMask(reason("This isn't an object record"));
  const rle = record['rle'];
  if (!isRecord(rle)) throw unreadableMask(reason('The object has no run-length encoding'));
  const size = readNumbers(rle['size'], 2);
  if (!size) throw unreadableMask(reason("The mask's size isn't two whole numbers"));
  const [height = 0, width = 0] = size;
  maskPixels(height, width);
  if (height === imageHeight && width === imageWidth) {
    return maskFromRuns(readCounts(rle['counts'], height, width), height);
  }
  const box = readNumbers(record['bbox'], 4);
  if (!box)
    throw unreadableMask(
      reason(
        "The mask size of {0} × {1} differs from the image's, and there is no bounding box",
        height,
        width,
      ),
    );
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box;
  if (height !== y2 - y1 || width !== x2 - x1) {
    throw unreadableMask(
      reason('The mask size of {0} × {1} matches neither the image nor the bounding box', height, width),
    );
  }
  if (x1 < 0 || y1 < 0 || x2 > imageWidth || y2 > imageHeight) {
    throw unreadableMask(reason('The bounding box extends beyond the image'));
  }
  return maskFromRuns(readCounts(rle['counts'], height, width), height, x1, y1);
}

/** Six bits of a character of the base64 alphabet (RFC 4648), or −1. */
function sixBits(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43) return 62;
  return code === 47 ? 63 : -1;
}

/**
 * Decodes base64 text (RFC 4648; line breaks inside it and missing padding are accepted). Returns
 * undefined when the text isn't base64.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  let padding = 0;
  while (end > 0 && padding < 2 && text.charCodeAt(end - 1) === 61) {
    end--;
    padding++;
  }
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let count = 0;
  let bits = 0;
  let pending = 0;
  let characters = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) continue;
    const value = sixBits(code);
    if (value < 0) return undefined;
    characters++;
    pending = ((pending << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = (pending >> bits) & 0xff;
    }
  }
  if (characters % 4 === 1 || (padding > 0 && (characters + padding) % 4 !== 0)) return undefined;
  return bytes.slice(0, count);
}

// Opening an archive decodes tens of thousands of short texts. A string or array for each would
// take longer than decoding. So this decodes bytes to numbers in one pass, in reused memory, and
// leaves anything unusual to decodeBase64 and decodeCounts, which are slower and give reasons.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Six bits of each character of the base64 alphabet (RFC 4648); 255 for others. */
const SIX_BITS = Uint8Array.from({ length: 256 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)));

/**
 * Decodes runs in the usual form of a masks archive, padded base64 of COCO's compressed runs, from
 * bytes to numbers without strings in between. Its memory is reused for each mask.
 */
export class CompressedRuns {
  private groups = new Uint8Array(1024);

  /**
   * Decodes bytes `start` to `end`, the runs of a mask of `pixels` pixels, into `target` from
   * `targetStart` on. `target` needs room for one number per byte. Returns the end of the runs, or
   * −1 for other forms and damaged masks: decodeBase64 and decodeCounts read those and give
   * reasons.
   */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    pixels: number,
    target: Uint32Array,
    targetStart: number,
  ): number {
    const length = this.decodeGroups(bytes, start, end);
    if (length <= 0) return -1;
    const { groups } = this;
    let sum = 0;
    let targetIndex = targetStart;
    // The last run but one, to which the fourth and later runs are differences; 0 before.
    let reference = 0;
    let last = 0;
    for (let i = 0; i < length;) {
      let group = groups[i++] as number;
      let value = group & 0x1f;
      let shift = 27;
      while (group >= 0x20) {
        // A seventh group starts at bit 30, which needs the slow decoder's arithmetic.
        if (i === length || shift === 2) return -1;
        group = groups[i++] as number;
        value |= (group & 0x1f) << (32 - shift);
        shift -= 5;
      }
      // Sign-extends from the last group's highest bit.
      value = ((value << shift) >> shift) + reference;
      if (value < 0) return -1;
      if (targetIndex > targetStart + 1) reference = last;
      last = value;
      sum += value;
      target[targetIndex++] = value;
    }
    return sum === pixels ? targetIndex : -1;
  }

  /**
   * Decodes base64 into groups of six bits (each character of the text minus 48). Returns their
   * number, or −1 for other text.
   */
  private decodeGroups(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 0 || length % 4 !== 0) return -1;
    if (this.groups.length < length) this.groups = new Uint8Array(length * 2);
    const { groups } = this;
    const padding = bytes[end - 1] !== 61 ? 0 : bytes[end - 2] !== 61 ? 1 : 2;
    let count = 0;
    let invalidBits = 0;
    const wholeGroupsEnd = padding === 0 ? end : end - 4;
    for (let index = start; index < wholeGroupsEnd; index += 4) {
      const a = SIX_BITS[bytes[index] as number] as number;
      const b = SIX_BITS[bytes[index + 1] as number] as number;
      const c = SIX_BITS[bytes[index + 2] as number] as number;
      const d = SIX_BITS[bytes[index + 3] as number] as number;
      const first = ((a << 2) | (b >> 4)) - 48;
      const second = (((b & 15) << 4) | (c >> 2)) - 48;
      const third = (((c & 3) << 6) | d) - 48;
      // 255 has bits beyond the six, negative numbers too.
      invalidBits |= a | b | c | d | first | second | third;
      groups[count++] = first;
      groups[count++] = second;
      groups[count++] = third;
    }
    if (padding > 0) {
      const a = SIX_BITS[bytes[wholeGroupsEnd] as number] as number;
      const b = SIX_BITS[bytes[wholeGroupsEnd + 1] as number] as number;
      const c = padding === 1 ? (SIX_BITS[bytes[wholeGroupsEnd + 2] as number] as number) : 0;
      const first = ((a << 2) | (b >> 4)) - 48;
      invalidBits |= a | b | c | first;
      groups[count++] = first;
      if (padding === 1) {
        const second = (((b & 15) << 4) | (c >> 2)) - 48;
        invalidBits |= second;
        groups[count++] = second;
      }
    }
    return (invalidBits & ~63) === 0 ? count : -1;
  }
}
