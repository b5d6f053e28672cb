import { reason, codedReason } from '../base/reasons';
import { orientationNote } from './exifOrientation';
import { hasPartialScans, type JpegHeader, plainJpeg, readJpegHeader, scansIn, withEnd } from './jpegStream';
import { checkRasterSize, type Raster, unreadableRaster } from './raster';
import { WasmCode, type WasmDecoder } from './wasmDecoder';

/** Frames that the codec reads: baseline, extended, progressive; Huffman or arithmetic coding. */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];

/** Frames with Huffman coding, for which `scansIn` can tell whether scans are missing. */
const HUFFMAN_FRAMES = [0xc0, 0xc1, 0xc2];

/** Maximum bytes of memory for decoding. */
const MAX_BYTES = 1e9;

/** Decodes a JPEG file of 8-bit gray or color, without applying its EXIF rotation. */
export async function decodeJpeg(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const header = readJpegHeader(bytes);
  if (!header)
    throw unreadableRaster(fileName, codedReason('undecodable', 'The file ends within its header'));
  const { width, height, components } = header;
  if (!READABLE_FRAMES.includes(header.frame)) {
    throw unreadableRaster(
      fileName,
      header.frame === 0xc3
        ? reason("Lossless JPEG isn't supported")
        : reason("This kind of JPEG isn't supported"),
    );
  }
  if (header.precision !== 8)
    throw unreadableRaster(fileName, reason("{0}-bit JPEG isn't supported", header.precision));
  if (components !== 1 && components !== 3) {
    throw unreadableRaster(
      fileName,
      components === 4
        ? reason("CMYK JPEG isn't supported")
        : reason("JPEG with {0} channels isn't supported", components),
    );
  }
  // The codec delivers as many samples for a gray pixel as for a color one.
  checkRasterSize(fileName, width, height, Math.max(3, components), maxSamples);
  const maxPixels = MAX_BYTES / bytesPerPixel(bytes, header);
  checkRasterSize(fileName, width, height, components, maxPixels * components);
  const damaged = codedReason('undecodable', 'The {0} data is damaged or cut off', 'JPEG');
  const stream = plainJpeg(bytes);
  // A file without its end marker may still have all scans and samples. The codec then has no
  // messages.
  const scans = scansIn(stream.bytes);
  if (scans === 'whole-channel-missing' || (!stream.ended && scans !== 'all'))
    throw unreadableRaster(fileName, damaged);
  const image = await new JpegCodec().decode(withEnd(stream));
  if ('failed' in image) throw unreadableRaster(fileName, damaged, image.cause);
  if (image.width !== width || image.height !== height) throw unreadableRaster(fileName, damaged);
  // The codec fills missing parts with gray, which must not look like data.
  const cutOff = stream.ended
    ? image.messages.some(message => /premature end/i.test(message))
    : image.messages.length > 0;
  if (cutOff) throw unreadableRaster(fileName, damaged);
  const isCorrupt = image.messages.some(message => /^Corrupt|^Inconsistent/.test(message));
  const lacksScans = HUFFMAN_FRAMES.includes(header.frame) && scans !== 'all';
  const partly = stream.skipped > 0 || lacksScans || isCorrupt;
  return {
    width,
    height,
    channels: components,
    bitsPerSample: 8,
    samples: withoutAlpha(image.rgba, width * height, components),
    photometric: components === 1 ? 'black-is-zero' : 'rgb',
    notes: [
      ...orientationNote(header.orientation),
      ...(!stream.ended ? [reason('The JPEG file lacks its end marker; all of its pixels are there')] : []),
      ...(partly ? [reason('The JPEG data is partly damaged; some pixels may be wrong')] : []),
    ],
  };
}

/** Bytes per pixel while decoding: RGBA in the codec, a copy, and the samples; see JpegCodec. */
function bytesPerPixel(bytes: Uint8Array, header: JpegHeader): number {
  const coefficients = hasPartialScans(bytes, header) ? 2 * header.samplesPerPixel : 0;
  return 4 + 4 + header.components + coefficients;
}

const code = new WasmCode(async () => (await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')).default);

/** A decoder isn't reused after an image of more pixels, because it never frees memory. */
const MAX_PIXELS = 1 << 22;

interface JpegPixels {
  width: number;
  height: number;
  rgba: Uint8ClampedArray | Uint8Array;
  /** The decoder's warnings about data that it could read. */
  messages: string[];
}

/** Decodes JPEG streams in turn. The decoder restarts after a damaged or large one. */
export class JpegCodec {
  private started: Promise<WasmDecoder<[turn: boolean]>> | undefined;
  private messages: string[] = [];

  /** RGBA of a gray or color stream, in full resolution; `failed` with the decoder's messages. */
  async decode(bytes: Uint8Array): Promise<JpegPixels | { failed: string[]; cause?: unknown }> {
    let decoder;
    try {
      decoder = await this.start();
    } catch (error) {
      this.started = undefined;
      throw error;
    }
    this.messages = [];
    try {
      const image = decoder.decode(bytes, false);
      if (image) {
        const { width, height, data } = image;
        if (this.messages.length > 0 || width * height > MAX_PIXELS) this.started = undefined;
        return { width, height, rgba: data as Uint8ClampedArray, messages: this.messages };
      }
      this.started = undefined;
      return { failed: this.messages };
    } catch (cause) {
      this.started = undefined;
      return { failed: this.messages, cause };
    }
  }

  /** Frees the decoder's memory; the next stream starts another. */
  release(): void {
    this.started = undefined;
  }

  /** Starts the decoder while the file is read, because its start takes a noticeable time. */
  prepare(): void {
    this.start().catch(() => (this.started = undefined));
  }

  private start(): Promise<WasmDecoder<[turn: boolean]>> {
    this.started ??= import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js').then(({ default: create }) =>
      code.start<WasmDecoder<[turn: boolean]>>(create, text => {
        this.messages.push(text);
      }),
    );
    return this.started;
  }
}

/** Red, green and blue of RGBA pixels, or the first of them where they are gray. */
export function withoutAlpha(
  pixelsOfCodec: Uint8ClampedArray | Uint8Array,
  pixels: number,
  channels: number,
): Uint8Array<ArrayBuffer> {
  // A single type lets the engine optimize the loops below.
  const rgba = new Uint8Array(pixelsOfCodec.buffer, pixelsOfCodec.byteOffset, pixelsOfCodec.length);
  const samples = new Uint8Array(pixels * channels);
  if (channels === 1) {
    for (let i = 0; i < pixels; i++) samples[i] = rgba[i * 4] as number;
    return samples;
  }
  for (let i = 0, from = 0, to = 0; i < pixels; i++, from += 4, to += 3) {
    samples[to] = rgba[from] as number;
    samples[to + 1] = rgba[from + 1] as number;
    samples[to + 2] = rgba[from + 2] as number;
  }
  return samples;
}
