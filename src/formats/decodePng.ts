import { decode, type DecodedPng } from 'fast-png';
import { exifOrientation, orientationNote } from './exifOrientation';
import { inflatesWithin, neededChunks } from './pngChunks';
import { checkRasterSize, unreadableRaster, type Raster, type Samples } from './raster';

/** Channels of PNG's colour types 0, 2, 3 (palette), 4 and 6. */
const CHANNELS: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4];

/** Decodes a PNG file: grey, RGB and palettes, with or without alpha; 1, 2 and 4 bits are spread to 8. */
export function decodePng(bytes: Uint8Array, fileName: string, maxSamples: number): Raster {
  // Signature 8 bytes, then IHDR: length 4, type 4, width @16, height @20, depth @24, colour type @25.
  if (bytes.length < 33) throw unreadableRaster(fileName, 'it ends before its header does');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const colourType = view.getUint8(25);
  const stored = CHANNELS[colourType];
  if (stored === undefined) throw unreadableRaster(fileName, `colour type ${colourType} is unknown`);
  checkRasterSize(fileName, width, height, colourType === 3 ? 4 : stored, maxSamples);
  const notes = pngNotes(view);
  if (view.getUint8(28) === 1 && view.getUint8(24) < 8) {
    throw unreadableRaster(fileName, 'interlaced pictures of less than 8 bits are not supported');
  }
  const needed = neededChunks(bytes);
  if (!holdsItsSize(needed, width, height, stored * view.getUint8(24)))
    throw unreadableRaster(fileName, 'its data inflate to more than its size needs');
  const png = decode(needed, { checkCrc: true });
  const samples = png.depth < 8 ? spreadBits(png) : plainSamples(png.data);
  if (png.palette) return { ...fromPalette(fileName, samples, png, png.palette), notes };
  if (png.depth < 8) notes.push(`Samples of ${png.depth} bits were spread to 0…255.`);
  const channels = png.channels;
  return {
    width,
    height,
    channels,
    bitsPerSample: png.depth === 16 ? 16 : 8,
    samples:
      png.depth < 8 ? samples.map(sample => Math.round((sample * 255) / (2 ** png.depth - 1))) : samples,
    photometric: channels < 3 ? 'black-is-zero' : 'rgb',
    ...(channels % 2 === 0 ? { alpha: channels - 1 } : {}),
    notes,
  };
}

/** Whether the data inflate to no more than the header's size needs; damaged data are left for the decoder to name. */
function holdsItsSize(needed: Uint8Array, width: number, height: number, bits: number): boolean {
  // A filter byte before each row; the seven passes of an interlaced picture have more rows, and rows that end early.
  const most = (Math.ceil((width * bits) / 8) + 1) * height * 1.5 + 64 * 1024;
  try {
    return inflatesWithin(needed, most);
  } catch {
    return true;
  }
}

function plainSamples(data: DecodedPng['data']): Samples {
  return data instanceof Uint8ClampedArray ? Uint8Array.from(data) : data;
}

/** One byte for each packed sample of 1, 2 or 4 bits; rows start at whole bytes. */
function spreadBits({ data, width, height, depth }: DecodedPng): Samples {
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
  const channels = palette.some(colour => colour.length > 3) ? 4 : 3;
  const samples = new Uint8Array(indexes.length * channels);
  for (let i = 0; i < indexes.length; i++) {
    const colour = palette[indexes[i] ?? 0];
    if (!colour) throw unreadableRaster(fileName, `its palette has no colour ${indexes[i]}`);
    for (let c = 0; c < channels; c++) samples[i * channels + c] = colour[c] ?? 255;
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
function pngNotes(view: DataView): string[] {
  // Chunks may come again and again; what they say is said once.
  const notes = new Set<string>();
  for (let offset = 8; offset + 12 <= view.byteLength;) {
    const length = view.getUint32(offset);
    const type = view.getUint32(offset + 4);
    if (type === 0x6163544c) notes.add('The file is an animation; only its first picture is read.'); // acTL
    if (type === 0x65584966 && offset + 8 + length <= view.byteLength) {
      // eXIf
      const exif = new Uint8Array(view.buffer, view.byteOffset + offset + 8, length);
      for (const note of orientationNote(exifOrientation(exif))) notes.add(note);
    }
    offset += 12 + length;
  }
  return [...notes];
}
