import { reason, codedReason } from '../base/reasons';
import { checkRasterSize, damagedData, DecodingError, type Raster, unreadableRaster } from './raster';
import { WasmCode, type WasmDecoder } from './wasmDecoder';

const code = new WasmCode(async () => (await import('@jsquash/webp/codec/dec/webp_dec.wasm')).default);

/** Decodes a WebP file to RGB; adds alpha if a pixel is transparent. */
export async function decodeWebp(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const header = readWebpHeader(bytes);
  if (!header)
    throw unreadableRaster(fileName, codedReason('undecodable', 'The file ends within its header'));
  const { width, height, exif } = header;
  checkRasterSize(fileName, width, height, 4, maxSamples);
  const { data } = await decodeWebpPixels(bytes, maxSamples);
  let opaque = true;
  for (let i = 3; opaque && i < data.length; i += 4) opaque = data[i] === 255;
  const channels = opaque ? 3 : 4;
  const samples = opaque ? new Uint8Array(width * height * 3) : data;
  if (opaque)
    for (let i = 0; i < width * height; i++)
      for (let c = 0; c < 3; c++) samples[i * 3 + c] = data[i * 4 + c] ?? 0;
  return {
    width,
    height,
    channels,
    bitsPerSample: 8,
    samples,
    photometric: 'rgb',
    ...(opaque ? {} : { alpha: 3 }),
    notes: exif ? [reason("The file has EXIF data; if that includes an orientation, it isn't applied")] : [],
  };
}

interface WebpHeader {
  width: number;
  height: number;
  animated: boolean;
  /** Whether the file has an EXIF block, which may contain an orientation. */
  exif: boolean;
}

/** A WebP file's size: "RIFF", length, "WEBP", then the first chunk: VP8X, VP8L or VP8. */
function readWebpHeader(bytes: Uint8Array): WebpHeader | undefined {
  if (bytes.length < 30) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = String.fromCharCode(...bytes.subarray(0, 4), ...bytes.subarray(8, 16));
  const plain = { animated: false, exif: false };
  switch (name) {
    case 'RIFFWEBPVP8X': {
      // Flags @20, width − 1 and height − 1 in 24 bits each @24 and @27.
      const flags = view.getUint8(20);
      const at = (offset: number) => (view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)) + 1;
      return { width: at(24), height: at(27), animated: (flags & 2) !== 0, exif: (flags & 8) !== 0 };
    }
    case 'RIFFWEBPVP8L': {
      // Signature 0x2f @20, then 14 bits each of width − 1 and height − 1.
      const packed = view.getUint32(21, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1, ...plain };
    }
    case 'RIFFWEBPVP8 ':
      // Frame tag 3 bytes @20, start code 3 bytes, then 14 bits each.
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        ...plain,
      };
    default:
      return undefined;
  }
}

/** Decodes a WebP image to RGBA, 8 bit. Throws if damaged, or over `maxSamples` samples. */
export async function decodeWebpPixels(
  bytes: Uint8Array,
  maxSamples: number,
): Promise<{ width: number; height: number; data: Uint8Array }> {
  const header = readWebpHeader(bytes);
  if (!header) throw new DecodingError(codedReason('undecodable', 'The file ends within its header'));
  if (header.animated) throw new DecodingError(reason("Animated WebP isn't supported"));
  if (header.width * header.height * 4 > maxSamples)
    throw new DecodingError(reason("The {0} data is larger than the image's size allows", 'WebP'));
  const decoder = await import('@jsquash/webp/codec/dec/webp_dec.js').then(({ default: create }) =>
    code.start<WasmDecoder<[]>>(create),
  );
  const image = decoder.decode(bytes);
  if (!image || image.width !== header.width || image.height !== header.height) throw damagedData('WebP');
  return { width: image.width, height: image.height, data: Uint8Array.from(image.data) };
}
