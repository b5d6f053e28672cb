import { exifOrientation } from './exifOrientation';

/*
 * The codec reports only its first warning. A warning about a segment that samples don't depend on,
 * or about bytes between segments, would hide a later one about missing samples. So the codec gets
 * streams in which only samples can cause a warning.
 */

export interface PlainJpeg {
  /** From the start marker to the end marker, if it has one. */
  bytes: Uint8Array;
  /** Whether it has its end marker. Without it, samples may be missing without a warning. */
  ended: boolean;
  /** Number of bytes between segments, which are omitted; they may be from a damaged segment. */
  skipped: number;
}

const END = [0xff, 0xd9];
/** APP0 of JFIF 1.1: three channels are YCbCr. */
const JFIF = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];

/** APP14 of Adobe: three channels are YCbCr or RGB. */
export function adobeSegment(ycbcr: boolean): number[] {
  return [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, ycbcr ? 1 : 0];
}

/**
 * A JPEG stream without the parts that its samples don't depend on: texts, profiles, bytes between
 * segments, and bytes after the end. Segments of JFIF and Adobe are reduced to what libjpeg reads.
 * Segments that libjpeg can't read stay unchanged.
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
    if (end > bytes.length || !isReadable(marker)) {
      parts.push(bytes.subarray(at));
      break;
    }
    if (isApplication(marker)) {
      parts.push(colorSegment(marker, bytes.subarray(at + 4, end)));
    } else if (marker === 0xda) {
      const scan = bytes.slice(at, end);
      // Sequential scans have all coefficients, whatever their headers say.
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

/** The stream with an end marker, so that the codec warns only of missing samples. */
export function withEnd({ bytes, ended }: Pick<PlainJpeg, 'bytes' | 'ended'>): Uint8Array {
  return ended ? bytes : joined([bytes, END]);
}

/**
 * Position of the next marker from `at` on, else the length. Skips other bytes, as libjpeg does.
 */
function nextMarker(bytes: Uint8Array, at: number): number {
  let marker = bytes.indexOf(0xff, at);
  while (marker >= 0 && marker + 1 < bytes.length) {
    const next = bytes[marker + 1] ?? 0;
    if (next !== 0 && next !== 0xff) return marker;
    marker = next === 0xff ? marker + 1 : bytes.indexOf(0xff, marker + 2);
  }
  return bytes.length;
}

/** Position of the marker that ends a scan's data. In the data, 0xFF precedes 0 or a restart. */
function endOfScan(bytes: Uint8Array, start: number): number {
  let at = nextMarker(bytes, start);
  while (at < bytes.length && isRestart(bytes[at + 1] ?? 0)) at = nextMarker(bytes, at + 2);
  return at;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Whether a marker is of an application's segment or a comment. */
function isApplication(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
}

/** C4, C8 and CC are tables, not frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Whether libjpeg reads or skips a marker's segment; it fails at others. */
function isReadable(marker: number): boolean {
  if (isApplication(marker)) return true;
  return marker >= 0xc0 && marker <= 0xdd && marker !== 0xc8 && marker !== 0xd8;
}

/** The plainest segment from which libjpeg reads the same color space; empty for others. */
function colorSegment(marker: number, content: Uint8Array): number[] {
  const startsWith = (text: string) => String.fromCharCode(...content.subarray(0, text.length)) === text;
  if (marker === 0xe0 && content.length >= 14 && startsWith('JFIF\0')) return JFIF;
  // libjpeg reads unknown transforms as YCbCr.
  if (marker === 0xee && content.length >= 12 && startsWith('Adobe')) return adobeSegment(content[11] !== 0);
  return [];
}

export function joined(parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export interface JpegHeader {
  width: number;
  height: number;
  /** Bits per sample; all common files have 8. */
  precision: number;
  components: number;
  /** The frame's marker byte: 0xC0 baseline, 0xC2 progressive, 0xC3 lossless, … */
  frame: number;
  /** Position of the frame's marker. */
  frameAt: number;
  /** Stored samples per pixel: fewer than components if a channel is subsampled. */
  samplesPerPixel: number;
  orientation: number;
}

/** A JPEG file's frame header and EXIF orientation; undefined if it ends before its frame. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  let offset = 2;
  for (;;) {
    offset = nextMarker(bytes, offset);
    if (offset + 4 > bytes.length) return undefined;
    const marker = bytes[offset + 1] ?? 0;
    // Markers without a segment.
    if (marker === 0x01 || isRestart(marker)) {
      offset += 2;
      continue;
    }
    const length = view.getUint16(offset + 2);
    const start = offset + 4;
    if (isFrame(marker)) {
      if (start + 6 > bytes.length) return undefined;
      return {
        precision: view.getUint8(start),
        height: view.getUint16(start + 1),
        width: view.getUint16(start + 3),
        components: view.getUint8(start + 5),
        frame: marker,
        frameAt: offset,
        samplesPerPixel: samplesPerPixel(bytes.subarray(start + 5)),
        orientation,
      };
    }
    if (marker === 0xda || marker === 0xd9) return undefined;
    if (marker === 0xe1 && start + 6 <= bytes.length && view.getUint32(start) === 0x45786966) {
      // "Exif", two zeros, then the block.
      orientation = exifOrientation(bytes.subarray(start + 6, Math.min(offset + 2 + length, bytes.length)));
    }
    offset += 2 + Math.max(2, length);
  }
}

/** From a frame's component list: a count, then three bytes each; the second is the sampling. */
function samplesPerPixel(components: Uint8Array): number {
  const factors = Array.from({ length: components[0] ?? 0 }, (_, i) => components[2 + i * 3] ?? 0x11);
  const across = Math.max(1, ...factors.map(factor => factor >> 4));
  const down = Math.max(1, ...factors.map(factor => factor & 15));
  return factors.reduce((sum, factor) => sum + ((factor >> 4) * (factor & 15)) / (across * down), 0);
}

/**
 * Whether a decoder must keep all coefficients until the last scan, because scans have only some
 * coefficients or some channels.
 */
export function hasPartialScans(bytes: Uint8Array, { frame, frameAt, components }: JpegHeader): boolean {
  if (frame === 0xc2 || frame === 0xca) return true;
  for (let at = frameAt; at + 4 < bytes.length; at = nextMarker(bytes, at)) {
    if (bytes[at + 1] === 0xda) return (bytes[at + 4] ?? 0) < components;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return false;
}

/**
 * Number of frames in a JPEG stream; undefined unless each segment is exactly as long as its
 * content. Decoders go by the content and allocate memory for every frame, so no frame may escape
 * this count.
 */
export function jpegFrames(bytes: Uint8Array): number | undefined {
  let frames = 0;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xd9) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (contentLength(marker, bytes.subarray(at + 4), length) !== length) return undefined;
    if (marker >= 0xc0 && marker <= 0xc2) frames++;
    at += 2 + length;
    if (marker === 0xda) at = endOfScan(bytes, at);
  }
  return frames;
}

/** The length that a segment must have according to its content, which follows the length. */
function contentLength(marker: number, content: Uint8Array, stated: number): number {
  const byte = (at: number) => content[at] ?? 0;
  // Frames: components @5, three bytes each. Scans: components @0, two bytes each, and three more.
  if (marker >= 0xc0 && marker <= 0xc2) return 8 + 3 * byte(5);
  if (marker === 0xda) return 6 + 2 * byte(0);
  if (marker === 0xdd) return 4;
  // Decoders skip texts and segments of applications.
  if (isApplication(marker)) return Math.max(2, stated);
  if (marker !== 0xc4 && marker !== 0xdb) return NaN;
  let length = 2;
  while (length < stated) {
    const at = length - 2;
    if (marker === 0xdb) length += byte(at) >> 4 === 0 ? 65 : 129;
    // A Huffman table: the number of codes of each of 16 lengths, then a byte for each code.
    else length += 17 + content.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
  }
  return length;
}

/**
 * Whether the scans of a Huffman-coded JPEG file, according to their headers, contain every bit of
 * every coefficient. If so, a file without its end marker may still have all samples. Decoders show
 * a missing channel as gray.
 */
export function scansIn(bytes: Uint8Array): 'all' | 'some' | 'whole-channel-missing' {
  /** By channel, the number of bits that each coefficient still lacks. */
  const missingBits = new Map<number, Uint8Array>();
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    // Skip the data of a scan, fill bytes and restarts.
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff || isRestart(marker)) {
      at++;
      continue;
    }
    const content = bytes.subarray(at + 4);
    const byte = (offset: number) => content[offset] ?? 0;
    if (marker >= 0xc9 && marker <= 0xcb) return 'some';
    if (marker >= 0xc0 && marker <= 0xc2) {
      // Components @5, three bytes each.
      for (let i = 0; i < byte(5); i++) missingBits.set(byte(6 + 3 * i), new Uint8Array(64).fill(255));
    } else if (marker === 0xda) {
      // Components @0, two bytes each, then the first and last coefficient, and the bits before and
      // after.
      const count = byte(0);
      const [first, last, bits] = [byte(1 + 2 * count), byte(2 + 2 * count), byte(3 + 2 * count) & 15];
      for (let i = 0; i < count; i++) missingBits.get(byte(1 + 2 * i))?.fill(bits, first, last + 1);
    }
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  const channels = [...missingBits.values()];
  if (channels.length === 0 || channels.some(([first]) => first === 255)) return 'whole-channel-missing';
  return channels.every(bits => bits.every(bit => bit === 0)) ? 'all' : 'some';
}
