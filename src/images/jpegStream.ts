/*
 * The codec passes on its first warning alone. One about a segment that no sample depends on, or about bytes between
 * segments, would hide a later one, that samples are missing: it gets streams without anything to warn about but samples.
 */

export interface PlainJpeg {
  /** From start marker to end marker, if that is there. */
  bytes: Uint8Array;
  /** Whether it has its end marker. Where it hasn't, samples may be missing, whatever the codec says. */
  ended: boolean;
  /** Bytes between segments, which are left out: they may be what is left of a segment. */
  skipped: number;
}

const END = [0xff, 0xd9];
/** APP0 of JFIF 1.1, which says that three channels are YCbCr. */
const JFIF = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];

/** APP14 of Adobe: three channels are RGB, if `ycbcr` is not set. */
export function adobeSegment(ycbcr: boolean): number[] {
  return [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, ycbcr ? 1 : 0];
}

/**
 * A JPEG stream without what its samples don't depend on: texts, profiles, bytes between segments and behind its end. Segments
 * of JFIF and Adobe say what libjpeg reads from them, in their plainest form. What libjpeg can't read is left as it is.
 */
export function plainJpeg(bytes: Uint8Array): PlainJpeg {
  const parts: ArrayLike<number>[] = [bytes.subarray(0, 2)];
  let ended = false;
  let sequential = false;
  let skipped = 0;
  for (let at = 2; ;) {
    const next = nextMarker(bytes, at);
    skipped += bytes.subarray(at, next).findLastIndex(byte => byte !== 0xff) + 1;
    at = next;
    if (at === bytes.length) break;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) {
      parts.push(END);
      ended = true;
      break;
    }
    if (isRestart(marker) || marker === 0x01) {
      at += 2;
      continue;
    }
    const length = Math.max(2, ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    let end = at + 2 + length;
    if (end > bytes.length || !isKnown(marker)) {
      parts.push(bytes.subarray(at));
      break;
    }
    if (isApplication(marker)) {
      parts.push(colorSegment(marker, bytes.subarray(at + 4, end)));
    } else if (marker === 0xda) {
      const scan = bytes.slice(at, end);
      // Sequential scans have all coefficients, whatever they say.
      if (sequential) scan.set([0, 63, 0], scan.length - 3);
      const dataEnd = endOfScan(bytes, end);
      parts.push(scan, bytes.subarray(end, dataEnd));
      end = dataEnd;
    } else {
      if (isFrame(marker)) sequential = [0xc0, 0xc1, 0xc9].includes(marker);
      parts.push(bytes.subarray(at, end));
    }
    at = end;
  }
  return { bytes: joined(parts), ended, skipped };
}

/** The stream with its end marker: the codec then says only whether samples are missing. */
export function withEnd({ bytes, ended }: Pick<PlainJpeg, 'bytes' | 'ended'>): Uint8Array {
  return ended ? bytes : joined([bytes, END]);
}

/** Where the next marker is, from `at` on; the stream's length where there is none. Other bytes are skipped, as in libjpeg. */
export function nextMarker(bytes: Uint8Array, at: number): number {
  let found = bytes.indexOf(0xff, at);
  while (found >= 0 && found + 1 < bytes.length) {
    const next = bytes[found + 1] ?? 0;
    if (next !== 0 && next !== 0xff) return found;
    found = next === 0xff ? found + 1 : bytes.indexOf(0xff, found + 2);
  }
  return bytes.length;
}

/** The marker that ends a scan's data: in them 0xFF is followed by 0, or is a restart. */
export function endOfScan(bytes: Uint8Array, start: number): number {
  let at = nextMarker(bytes, start);
  while (at < bytes.length && isRestart(bytes[at + 1] ?? 0)) at = nextMarker(bytes, at + 2);
  return at;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Segments of applications, and comments. */
function isApplication(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
}

/** C4, C8 and CC are tables, not frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Segments that libjpeg reads or skips; at any other it fails. */
function isKnown(marker: number): boolean {
  if (isApplication(marker)) return true;
  return marker >= 0xc0 && marker <= 0xdd && marker !== 0xc8 && marker !== 0xd8;
}

/** What a segment says of the channels' colors, as libjpeg reads it; empty for others. */
function colorSegment(marker: number, content: Uint8Array): number[] {
  const starts = (text: string) => String.fromCharCode(...content.subarray(0, text.length)) === text;
  if (marker === 0xe0 && content.length >= 14 && starts('JFIF\0')) return JFIF;
  // Unknown transforms are taken for YCbCr.
  if (marker === 0xee && content.length >= 12 && starts('Adobe')) return adobeSegment(content[11] !== 0);
  return [];
}

function joined(parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
