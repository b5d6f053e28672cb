import type { Jpeg2000Module } from '@cornerstonejs/codec-openjpeg/decodewasmjs';
import { reason } from '../../base/reasons';
import { WasmCode } from '../wasmDecoder';
import { damagedData, DecodingError, type SampleKind, type Samples } from '../raster';

/*
 * Blocks of JPEG 2000 (ISO/IEC 15444-1), decoded by OpenJPEG. The codec trusts the codestream's
 * header, so the header is checked first. This build of the codec returns one channel of up to 16
 * bits, or three of 8 bits. Aperio's scanners store three channels as YCbCr, with or without
 * subsampling; only the number of the compression tells this.
 */

/** Maximum tiles of a codestream, because each takes memory. */
const MAX_TILES = 4096;
/** A decoder isn't reused after an image of more pixels, because it never frees memory. */
const MAX_PIXELS = 1 << 22;
/** Maximum marker segments before the data, and boxes of a JP2 file. */
const MAX_SEGMENTS = 1000;

/** Shape of a block: `width` × `height` pixels of `channels` interleaved samples. */
interface Jpeg2000Shape {
  width: number;
  height: number;
  channels: number;
}

/** Header of a codestream. */
interface CodestreamHeader {
  width: number;
  height: number;
  bits: number;
  isSigned: boolean;
  channels: number;
  /** Whether channels after the first have fewer samples. */
  isSubsampled: boolean;
}

const code = new WasmCode(async () => (await import('@cornerstonejs/codec-openjpeg/decodewasm')).default);

/** Decodes JPEG 2000 codestreams. The codec loads on first use and restarts after damage. */
export class Jpeg2000Codec {
  private started: Promise<Jpeg2000Module> | undefined;
  private messages: string[] = [];

  /** The decoder's samples, of one or two bytes; undefined if anything is wrong. */
  async decode(
    bytes: Uint8Array,
    { width, height, channels }: Jpeg2000Shape,
  ): Promise<{ data: Uint8Array; isRgb: boolean } | undefined> {
    this.started ??= this.start();
    let module;
    try {
      module = await this.started;
    } catch (error) {
      this.started = undefined;
      throw error;
    }
    this.messages = [];
    try {
      const decoder = new module.J2KDecoder();
      decoder.getEncodedBuffer(bytes.length).set(bytes);
      decoder.decode();
      const frame = decoder.getFrameInfo();
      const isRgb = decoder.getColorSpace() === 1;
      const data = new Uint8Array(decoder.getDecodedBuffer());
      decoder.delete();
      const isExpected =
        frame.width === width &&
        frame.height === height &&
        frame.componentCount === channels &&
        data.length === width * height * channels * (frame.bitsPerSample > 8 ? 2 : 1);
      const hasWarned = this.messages.some(message => /ERROR|WARN/i.test(message));
      if (!isExpected || hasWarned || width * height > MAX_PIXELS) this.started = undefined;
      return isExpected && !hasWarned ? { data, isRgb } : undefined;
    } catch {
      this.started = undefined;
      return undefined;
    }
  }

  /** Frees the decoder's memory; the next codestream starts a new decoder. */
  release(): void {
    this.started = undefined;
  }

  private async start(): Promise<Jpeg2000Module> {
    const { default: create } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
    return code.start<Jpeg2000Module>(create, text => void this.messages.push(text));
  }
}

/** Samples of a block. `isYcbcr`: three channels are YCbCr, which becomes RGB. */
export async function decodeJpeg2000Block(
  image: { bits: number; kind: SampleKind; isYcbcr: boolean },
  bytes: Uint8Array,
  shape: Jpeg2000Shape,
  codec: Jpeg2000Codec,
): Promise<Samples> {
  const { codestream, isSycc } = codestreamIn(bytes);
  const header = readHeader(codestream);
  const { width, height, channels } = shape;
  if (header.width !== width || header.height !== height || header.channels !== channels)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG 2000'));
  const isSupported =
    (channels === 1 && header.bits <= 16 && (!header.isSigned || header.bits > 8)) ||
    (channels === 3 && header.bits === 8 && !header.isSigned);
  const matchesFile =
    image.kind === (header.isSigned ? 'signed' : 'unsigned') &&
    (image.bits === header.bits || (image.bits === 16 && header.bits > 8));
  if (!isSupported || !matchesFile)
    throw new DecodingError(
      reason("JPEG 2000 with {0} channels of {1} bits isn't supported in this form", channels, header.bits),
    );
  const decoded = await codec.decode(codestream, shape);
  if (!decoded) throw damagedData('JPEG 2000');
  const { data, isRgb } = decoded;
  if (header.bits > 8) return wideSamples(data, header.isSigned);
  if (channels === 1) return data;
  // The codec takes subsampled channels for YCbCr, and converts them by itself.
  if (header.isSubsampled !== isRgb)
    throw new DecodingError(reason("Subsampled JPEG with {0} channels isn't supported", channels));
  return (image.isYcbcr || isSycc) && !isRgb ? ycbcrToRgb(data) : data;
}

/** Reads samples of two bytes, the low byte first. */
function wideSamples(data: Uint8Array, isSigned: boolean): Samples {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const samples = isSigned ? new Int16Array(data.length / 2) : new Uint16Array(data.length / 2);
  for (let at = 0; at < samples.length; at++)
    samples[at] = isSigned ? view.getInt16(2 * at, true) : view.getUint16(2 * at, true);
  return samples;
}

/** Converts YCbCr to RGB as JFIF defines it. */
function ycbcrToRgb(data: Uint8Array): Uint8Array {
  const rgb = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const y = data[at] as number;
    const cb = (data[at + 1] as number) - 128;
    const cr = (data[at + 2] as number) - 128;
    rgb[at] = y + 1.402 * cr;
    rgb[at + 1] = y - 0.344136 * cb - 0.714136 * cr;
    rgb[at + 2] = y + 1.772 * cb;
  }
  return new Uint8Array(rgb.buffer);
}

/** The codestream of a block. If the block is a JP2 file, the codestream is one of its boxes. */
function codestreamIn(bytes: Uint8Array): { codestream: Uint8Array; isSycc: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0x4f) return { codestream: bytes, isSycc: false };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isSycc = false;
  let end = bytes.length;
  for (let at = 0, boxes = 0; at + 8 <= end && boxes < MAX_SEGMENTS; boxes++) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const stated = view.getUint32(at);
    // 0: the box reaches to the end. 1: a length of 64 bits follows the type.
    const isLong = stated === 1 && at + 16 <= end;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : stated === 0 ? end - at : stated;
    const start = at + (isLong ? 16 : 8);
    if (length < start - at) break;
    if (type === 'jp2c') return { codestream: bytes.subarray(start, Math.min(end, at + length)), isSycc };
    if (type === 'pclr')
      throw new DecodingError(reason("{0} compression isn't supported", 'JPEG 2000 (palette)'));
    // Method 1 names a color space: 18 is YCbCr.
    if (type === 'colr' && bytes[start] === 1 && start + 7 <= end) isSycc = view.getUint32(start + 3) === 18;
    // The header box contains boxes: read these.
    at = type === 'jp2h' ? start : at + length;
    end = bytes.length;
  }
  throw damagedData('JPEG 2000');
}

/** Reads the first segment, SIZ. Throws for values out of bounds. */
function readHeader(bytes: Uint8Array): CodestreamHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Start of codestream, then SIZ: its length @4, sizes of 32 bits from @8 on, the number of
  // channels @40.
  if (bytes.length < 45 || view.getUint32(0) !== 0xff4fff51) throw damagedData('JPEG 2000');
  const size = (at: number) => view.getUint32(8 + 4 * at);
  const [right, bottom, left, top, tileWidth, tileHeight, tileLeft, tileTop] = [0, 1, 2, 3, 4, 5, 6, 7].map(
    size,
  );
  const channels = view.getUint16(40);
  if (view.getUint16(4) !== 38 + 3 * channels || bytes.length < 42 + 3 * channels || channels < 1)
    throw damagedData('JPEG 2000');
  const [width = 0, height = 0] = [right, bottom];
  const tiles = Math.ceil(width / (tileWidth ?? 0)) * Math.ceil(height / (tileHeight ?? 0));
  const isSimple = left === 0 && top === 0 && tileLeft === 0 && tileTop === 0;
  if (!isSimple || width < 1 || height < 1 || !(tiles >= 1 && tiles <= MAX_TILES))
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG 2000'));
  const channelByte = (channel: number, at: number) => bytes[42 + 3 * channel + at] ?? 0;
  const bits = (channelByte(0, 0) & 127) + 1;
  let isSubsampled = false;
  for (let channel = 0; channel < channels; channel++) {
    const [across, down] = [channelByte(channel, 1), channelByte(channel, 2)];
    const isFirst = channel === 0 || channels !== 3;
    // Only colors may be subsampled: horizontally or in both directions, and both in the same way.
    const isPossible = across === 1 ? down === 1 : !isFirst && across === 2 && (down === 1 || down === 2);
    if (
      channelByte(channel, 0) !== channelByte(0, 0) ||
      !isPossible ||
      (channel === 2 && (channelByte(1, 1) !== across || channelByte(1, 2) !== down))
    )
      throw new DecodingError(
        reason("JPEG 2000 with {0} channels of {1} bits isn't supported in this form", channels, bits),
      );
    isSubsampled ||= across > 1;
  }
  checkTiles(view, tiles);
  return { width, height, bits, isSigned: (channelByte(0, 0) & 128) !== 0, channels, isSubsampled };
}

/** Throws if a tile or a part of it is missing: the codec would make it black without a warning. */
function checkTiles(view: DataView, tiles: number): void {
  let at = 2;
  for (let segments = 0; ; segments++) {
    if (at + 4 > view.byteLength || segments > MAX_SEGMENTS) throw damagedData('JPEG 2000');
    if (view.getUint16(at) === 0xff90) break;
    at += 2 + view.getUint16(at + 2);
  }
  /** By tile, the number of parts present, and the total that its parts state, else 0. */
  const partsOfTile = new Map<number, { present: number; total: number }>();
  // A part begins with SOT: number of the tile @4, length @6, number of the part @10, total number
  // of parts @11.
  while (at + 12 <= view.byteLength && view.getUint16(at) === 0xff90) {
    const tile = view.getUint16(at + 4);
    // Length 0: the part reaches to the end of the codestream.
    const length = view.getUint32(at + 6) || view.byteLength - at;
    const counts = partsOfTile.get(tile) ?? { present: 0, total: 0 };
    if (
      tile >= tiles ||
      length < 14 ||
      at + length > view.byteLength ||
      view.getUint8(at + 10) !== counts.present
    )
      throw damagedData('JPEG 2000');
    partsOfTile.set(tile, { present: counts.present + 1, total: view.getUint8(at + 11) || counts.total });
    at += length;
  }
  const isWhole = [...partsOfTile.values()].every(({ present, total }) => total === 0 || present === total);
  if (partsOfTile.size !== tiles || !isWhole) throw damagedData('JPEG 2000');
}
