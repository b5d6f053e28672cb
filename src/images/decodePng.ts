import { decode, type DecodedPng } from 'fast-png';
import { exifOrientation, orientationNote } from './exifOrientation';
import { withoutInterlacing } from './interlacedPng';
import { hasOneHeader, hasValidCrcs, inflatesWithin, neededChunks } from './pngChunks';
import { reason, reasonForLog, type Reason } from '../base/reasons';
import { checkRasterSize, type Raster, type Samples } from './raster';
import { unreadableRaster } from './unreadableRaster';

/** Channels of PNG's color types 0, 2, 3 (palette), 4 and 6. */
const CHANNELS: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4];

/** Decodes a PNG file: gray, RGB and palettes, with or without alpha. Samples of 1, 2 and 4 bits stay as small as they are. */
export function decodePng(bytes: Uint8Array, fileName: string, maxSamples: number): Raster {
  // Signature 8 bytes, then IHDR: length 4, type 4, width @16, height @20, depth @24, color type @25.
  if (bytes.length < 33) throw unreadableRaster(fileName, reason('header-cut-off'));
  if (!hasOneHeader(bytes)) throw unreadableRaster(fileName, reason('damaged-data', 'PNG'));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const colorType = view.getUint8(25);
  const stored = CHANNELS[colorType];
  if (stored === undefined) throw unreadableRaster(fileName, reason('png-color-type', colorType));
  checkRasterSize(fileName, width, height, colorType === 3 ? 4 : stored, maxSamples);
  const notes = pngNotes(view);
  const needed = neededChunks(bytes, colorType === 3);
  if (!isWithinSize(needed, width, height, stored * view.getUint8(24)))
    throw unreadableRaster(fileName, reason('oversized-data', 'PNG'));
  // The library can't read interlaced images of so few bits: it gets the same image without interlacing.
  const interlaced = view.getUint8(28) === 1 && view.getUint8(24) < 8;
  if (interlaced && !hasValidCrcs(needed)) throw unreadableRaster(fileName, reason('damaged-data', 'PNG'));
  const png = decodeByLibrary(interlaced ? withoutInterlacing(needed) : needed, fileName, !interlaced);
  const samples = png.depth < 8 ? unpackBits(png) : plainSamples(png.data);
  if (colorType === 3 && !png.palette) throw unreadableRaster(fileName, reason('palette-missing'));
  if (png.palette) return { ...fromPalette(fileName, samples, png, png.palette), notes };
  const channels = png.channels;
  return {
    width,
    height,
    channels,
    bitsPerSample: png.depth,
    samples,
    photometric: channels < 3 ? 'black-is-zero' : 'rgb',
    ...(channels % 2 === 0 ? { alpha: channels - 1 } : {}),
    notes,
  };
}

function decodeByLibrary(png: Uint8Array, fileName: string, checkCrc: boolean): DecodedPng {
  try {
    return decode(png, { checkCrc });
  } catch (error) {
    throw unreadableRaster(fileName, reason('damaged-data', 'PNG'), error);
  }
}

/** Whether the data inflate to no more than the size in the header needs; damaged data are left to the decoder's error. */
function isWithinSize(needed: Uint8Array, width: number, height: number, bits: number): boolean {
  // A filter byte before each row; the seven passes of an interlaced image have more rows, and rows that end early.
  const maxBytes = (Math.ceil((width * bits) / 8) + 1) * height * 1.5 + 64 * 1024;
  try {
    return inflatesWithin(needed, maxBytes);
  } catch {
    return true;
  }
}

function plainSamples(data: DecodedPng['data']): Samples {
  return data instanceof Uint8ClampedArray ? Uint8Array.from(data) : data;
}

/** One byte for each packed sample of 1, 2 or 4 bits; rows start at whole bytes. */
function unpackBits({ data, width, height, depth }: DecodedPng): Samples {
  const samples = new Uint8Array(width * height);
  const bytesPerRow = Math.ceil((width * depth) / 8);
  const mask = 2 ** depth - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = data[y * bytesPerRow + (bit >> 3)] ?? 0;
      samples[y * width + x] = (byte >> (8 - depth - (bit & 7))) & mask;
    }
  }
  return samples;
}

function fromPalette(
  fileName: string,
  indexes: Samples,
  png: DecodedPng,
  palette: number[][],
): Omit<Raster, 'notes'> {
  const channels = palette.some(color => color.length > 3) ? 4 : 3;
  const samples = new Uint8Array(indexes.length * channels);
  for (let i = 0; i < indexes.length; i++) {
    const color = palette[indexes[i] ?? 0];
    if (!color) throw unreadableRaster(fileName, reason('color-not-in-palette', indexes[i] ?? 0));
    for (let c = 0; c < channels; c++) samples[i * channels + c] = color[c] ?? 255;
  }
  return {
    width: png.width,
    height: png.height,
    channels,
    bitsPerSample: 8,
    samples,
    photometric: 'rgb',
    ...(channels === 4 ? { alpha: 3 } : {}),
  };
}

/** Looks through the chunks for an animation and for an EXIF orientation. */
function pngNotes(view: DataView): Reason[] {
  // A chunk may be repeated; its note isn't.
  const notes = new Map<string, Reason>();
  const add = (note: Reason) => notes.set(reasonForLog(note), note);
  for (let offset = 8; offset + 12 <= view.byteLength;) {
    const length = view.getUint32(offset);
    const type = view.getUint32(offset + 4);
    if (type === 0x6163544c) add(reason('animation')); // acTL
    if (type === 0x65584966 && offset + 8 + length <= view.byteLength) {
      // eXIf
      const exif = new Uint8Array(view.buffer, view.byteOffset + offset + 8, length);
      for (const note of orientationNote(exifOrientation(exif))) add(note);
    }
    offset += 12 + length;
  }
  return [...notes.values()];
}
