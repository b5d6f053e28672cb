import createDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import wasmBinary from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
import { readJpegHeader } from './jpegHeader';
import { orientationNote } from './exifOrientation';
import { checkRasterSize, unreadableRaster, type Raster } from './raster';
import { startDecoder } from './wasmDecoder';

/** Frames the codec reads: baseline, extended and progressive, Huffman or arithmetic coded. */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];

/** Decodes a JPEG file of 8-bit grey or colour, without turning it as its EXIF data may ask. */
export async function decodeJpeg(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const header = readJpegHeader(bytes);
  if (!header) throw unreadableRaster(fileName, 'it ends before its header does');
  const { width, height, components } = header;
  if (!READABLE_FRAMES.includes(header.frame)) {
    throw unreadableRaster(
      fileName,
      header.frame === 0xc3 ? 'lossless JPEG is not supported' : 'its kind of JPEG is not supported',
    );
  }
  if (header.precision !== 8)
    throw unreadableRaster(fileName, `JPEG of ${header.precision} bits is not supported`);
  if (components !== 1 && components !== 3) {
    throw unreadableRaster(
      fileName,
      components === 4 ? 'CMYK JPEG is not supported' : `JPEG of ${components} components is not supported`,
    );
  }
  // The codec makes as many samples of a grey pixel as of a coloured one.
  checkRasterSize(fileName, width, height, Math.max(3, components), maxSamples);
  const complaints: string[] = [];
  const decoder = await startDecoder<[turn: boolean]>(createDecoder, wasmBinary, text => {
    complaints.push(text);
  });
  let picture;
  try {
    picture = decoder.decode(bytes, false);
  } catch (error) {
    throw unreadableRaster(fileName, complaints.at(-1) ?? 'it is damaged', error);
  }
  if (!picture || picture.width !== width || picture.height !== height) {
    throw unreadableRaster(fileName, complaints.at(-1) ?? 'it is damaged');
  }
  // The codec paints what is missing in grey; that must not pass for data.
  const cut = complaints.find(text => /premature end/i.test(text));
  if (cut) throw unreadableRaster(fileName, cut);
  const pixels = width * height;
  const samples = new Uint8Array(pixels * components);
  const rgba = picture.data;
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < components; c++) samples[i * components + c] = rgba[i * 4 + c] ?? 0;
  }
  return {
    width,
    height,
    channels: components,
    bitsPerSample: 8,
    samples,
    photometric: components === 1 ? 'black-is-zero' : 'rgb',
    notes: [...orientationNote(header.orientation), ...complaints.map(text => `The decoder warns: ${text}.`)],
  };
}
