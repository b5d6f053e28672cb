import { decode, type DecodedPng } from 'fast-png';
import { Unzlib, unzlibSync, zlibSync } from 'fflate';
import { reasonForLog } from '../base/reasonForLog';
import { reason, type Reason, codedReason } from '../base/reasons';
import { exifOrientation, orientationNote } from './exifOrientation';
import { checkRasterSize, damagedData, type Raster, type Samples, unreadableRaster } from './raster';

/** Channels of PNG's color types 0, 2, 3 (palette), 4 and 6. */
const CHANNELS: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4];

/**
 * Decodes a PNG file: gray, RGB or palette, with or without alpha. Samples of 1, 2 and 4 bits keep
 * their values. With `ignoresPalette`, samples are indexes into the palette instead of colors.
 */
export function decodePng(
  bytes: Uint8Array,
  fileName: string,
  maxSamples: number,
  { ignoresPalette = false } = {},
): Raster {
  // Signature 8 bytes, then IHDR: length 4, type 4, width @16, height @20, depth @24, color type
  // @25.
  if (bytes.length < 33)
    throw unreadableRaster(fileName, codedReason('undecodable', 'The file ends within its header'));
  if (!hasOneHeader(bytes))
    throw unreadableRaster(fileName, codedReason('undecodable', 'The {0} data is damaged or cut off', 'PNG'));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const colorType = view.getUint8(25);
  const storedChannels = CHANNELS[colorType];
  if (storedChannels === undefined)
    throw unreadableRaster(fileName, reason("PNG color type {0} isn't supported", colorType));
  checkRasterSize(fileName, width, height, colorType === 3 ? 4 : storedChannels, maxSamples);
  const notes = pngNotes(view);
  const imageChunks = onlyImageChunks(bytes, colorType === 3);
  if (!isWithinSize(imageChunks, width, height, storedChannels * view.getUint8(24)))
    throw unreadableRaster(fileName, reason("The {0} data is larger than the image's size allows", 'PNG'));
  // The library can't read interlaced images of fewer than 8 bits: remove the interlacing.
  const interlaced = view.getUint8(28) === 1 && view.getUint8(24) < 8;
  if (interlaced && !hasValidCrcs(imageChunks))
    throw unreadableRaster(fileName, codedReason('undecodable', 'The {0} data is damaged or cut off', 'PNG'));
  const png = decodeByLibrary(
    interlaced ? withoutInterlacing(imageChunks) : imageChunks,
    fileName,
    !interlaced,
  );
  const samples = png.depth < 8 ? unpackBits(png) : plainSamples(png.data);
  if (colorType === 3 && !png.palette) throw unreadableRaster(fileName, reason('The palette is missing'));
  if (png.palette && !ignoresPalette) return { ...fromPalette(fileName, samples, png, png.palette), notes };
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
    throw unreadableRaster(
      fileName,
      codedReason('undecodable', 'The {0} data is damaged or cut off', 'PNG'),
      error,
    );
  }
}

/** Whether the data inflates to at most the header's size. The decoder reports damaged data. */
function isWithinSize(png: Uint8Array, width: number, height: number, bits: number): boolean {
  // A filter byte precedes each row. The seven passes of an interlaced image have more rows, and
  // partly filled bytes at their ends.
  const maxBytes = (Math.ceil((width * bits) / 8) + 1) * height * 1.5 + 64 * 1024;
  try {
    return inflatesWithin(png, maxBytes);
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
    if (!color) throw unreadableRaster(fileName, reason('The palette has no color {0}', indexes[i] ?? 0));
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

/** Notes about an animation and an EXIF orientation, from the chunks. */
function pngNotes(view: DataView): Reason[] {
  // A chunk may be repeated; its note isn't.
  const notes = new Map<string, Reason>();
  const add = (note: Reason) => notes.set(reasonForLog(note), note);
  for (let offset = 8; offset + 12 <= view.byteLength;) {
    const length = view.getUint32(offset);
    const type = view.getUint32(offset + 4);
    if (type === 0x6163544c) add(reason('The file is an animation; only its first image is read')); // acTL
    if (type === 0x65584966 && offset + 8 + length <= view.byteLength) {
      // eXIf
      const exif = new Uint8Array(view.buffer, view.byteOffset + offset + 8, length);
      for (const note of orientationNote(exifOrientation(exif))) add(note);
    }
    offset += 12 + length;
  }
  return [...notes.values()];
}

/*
 * Interlaced PNG of 1, 2 or 4 bits, which the library can't read. It consists of seven small
 * images, whose pixels lie on coarser grids (Adam7). It has one channel, because only gray and
 * palette images may have fewer than 8 bits.
 */

/** First column and row, and steps between columns and rows, of each pass. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The same image without interlacing, as a PNG file. The changed chunks lack valid CRCs. */
function withoutInterlacing(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  // In IHDR: width @16, height @20, depth @24.
  const [width, height, depth] = [view.getUint32(16), view.getUint32(20), view.getUint8(24)];
  const passes = PASSES.map(([left, top, stepX, stepY]) => {
    const columns = Math.ceil((width - left) / stepX);
    const rows = columns > 0 ? Math.ceil((height - top) / stepY) : 0;
    return { left, top, stepX, stepY, columns, rows, rowBytes: Math.ceil((columns * depth) / 8) };
  }).filter(({ rows }) => rows > 0);
  const length = passes.reduce((sum, { rows, rowBytes }) => sum + rows * (1 + rowBytes), 0);
  const data = unzlibSync(imageData(png), { out: new Uint8Array(length) });
  if (data.length < length) throw damagedData('PNG');
  // A filter byte before each row; 0 is none.
  const fullRow = 1 + Math.ceil((width * depth) / 8);
  const plain = new Uint8Array(fullRow * height);
  let at = 0;
  for (const { left, top, stepX, stepY, columns, rows, rowBytes } of passes) {
    let above: Uint8Array = new Uint8Array(rowBytes);
    for (let row = 0; row < rows; row++, at += 1 + rowBytes) {
      const line = data.subarray(at + 1, at + 1 + rowBytes);
      undoFilter(data[at] ?? 0, line, above);
      const start = (top + row * stepY) * fullRow + 1;
      for (let column = 0; column < columns; column++) {
        const from = column * depth;
        const sample = ((line[from >> 3] ?? 0) >> (8 - depth - (from & 7))) & (2 ** depth - 1);
        const to = (left + column * stepX) * depth;
        const byte = start + (to >> 3);
        plain[byte] = (plain[byte] ?? 0) | (sample << (8 - depth - (to & 7)));
      }
      above = line;
    }
  }
  return withImageData(png, zlibSync(plain, { level: 0 }));
}

/** Undoes a row's filter in place: each byte is stored as its difference to a prediction. */
function undoFilter(filter: number, line: Uint8Array, above: Uint8Array): void {
  if (filter > 4) throw damagedData('PNG');
  for (let i = 0; i < line.length; i++) {
    const left = line[i - 1] ?? 0;
    const up = above[i] ?? 0;
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, above[i - 1] ?? 0)][filter] ?? 0;
    line[i] = (line[i] ?? 0) + predicted;
  }
}

/** The neighbor nearest to left + up − corner; for a tie, the first of left, up, corner. */
function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Chunks of the image itself. Other chunks may hold texts or profiles that inflate to any size. */
const IMAGE_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'IDAT', 'IEND']);
/** Further chunks of palette images; in other images they are only hints. */
const PALETTE_CHUNKS: ReadonlySet<string> = new Set(['PLTE', 'tRNS']);
/** Compressed bytes per inflate step: each byte may become a thousand. */
const STEP = 16 * 1024;

/** One chunk of a PNG file: length 4 bytes, type 4, data, CRC 4. */
interface PngChunk {
  type: string;
  /** Offset of its length field, and of the byte after its CRC. */
  start: number;
  end: number;
}

function* chunksOf(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 8; start + 12 <= bytes.length;) {
    const end = start + 12 + view.getUint32(start);
    yield { type: String.fromCharCode(...bytes.subarray(start + 4, start + 8)), start, end };
    start = end;
  }
}

/** The file with only the chunks of the image. Throws RangeError if one is cut off. */
function onlyImageChunks(bytes: Uint8Array, hasPalette: boolean): Uint8Array {
  const parts = [{ start: 0, end: 8 }];
  let length = 8;
  for (const { type, start, end } of chunksOf(bytes)) {
    if (!IMAGE_CHUNKS.has(type) && !(hasPalette && PALETTE_CHUNKS.has(type))) continue;
    if (end > bytes.length) throw new RangeError(`bytes ${start} to ${end} of ${bytes.length}`);
    const last = parts.at(-1);
    if (last?.end === start) last.end = end;
    else parts.push({ start, end });
    length += end - start;
  }
  const file = new Uint8Array(length);
  let at = 0;
  for (const { start, end } of parts) {
    const part = bytes.subarray(start, end);
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** Whether a file begins with its only header. Decoders disagree on which of several to use. */
function hasOneHeader(bytes: Uint8Array): boolean {
  let count = 0;
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type !== 'IHDR') continue;
    if (start !== 8 || end - start !== 25) return false;
    count++;
  }
  return count === 1;
}

/** Table of CRC-32 by byte (PNG, annex D). */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0);
  return crc;
});

/** Whether the CRC of each chunk matches its type and data. */
function hasValidCrcs(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { start, end } of chunksOf(bytes)) {
    let crc = -1;
    for (let at = start + 4; at < end - 4; at++)
      crc = (crc >>> 8) ^ (CRC_OF_BYTE[(crc ^ (bytes[at] as number)) & 0xff] as number);
    if (view.getUint32(end - 4) !== ~crc >>> 0) return false;
  }
  return true;
}

/** The compressed image data of all IDAT chunks. */
function imageData(bytes: Uint8Array): Uint8Array {
  const parts = [...chunksOf(bytes)].filter(({ type }) => type === 'IDAT');
  const data = new Uint8Array(parts.reduce((sum, { start, end }) => sum + end - start - 12, 0));
  let at = 0;
  for (const { start, end } of parts) {
    data.set(bytes.subarray(start + 8, end - 4), at);
    at += end - start - 12;
  }
  return data;
}

/** The file with other image data, which isn't interlaced. The changed chunks lack valid CRCs. */
function withImageData(bytes: Uint8Array, data: Uint8Array): Uint8Array {
  const chunks = [...chunksOf(bytes)];
  const firstData = chunks.find(({ type }) => type === 'IDAT');
  const otherChunks = chunks.filter(({ type }) => type !== 'IDAT');
  const file = new Uint8Array(
    8 + otherChunks.reduce((sum, { start, end }) => sum + end - start, 0) + 12 + data.length,
  );
  file.set(bytes.subarray(0, 8));
  let at = 8;
  for (const { type, start, end } of otherChunks) {
    if (type === 'IEND' && firstData) {
      new DataView(file.buffer).setUint32(at, data.length);
      file.set(bytes.subarray(firstData.start + 4, firstData.start + 8), at + 4);
      file.set(data, at + 8);
      at += 12 + data.length;
    }
    file.set(bytes.subarray(start, end), at);
    // Interlacing is the last byte of the header.
    if (type === 'IHDR') file[at + 20] = 0;
    at += end - start;
  }
  return file;
}

/**
 * Whether the image data inflates to at most `maxBytes` bytes. It only counts them; the decoder
 * would store all of them, even beyond the header's size.
 */
function inflatesWithin(bytes: Uint8Array, maxBytes: number): boolean {
  let count = 0;
  const inflator = new Unzlib(chunk => {
    count += chunk.length;
  });
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type !== 'IDAT') continue;
    const last = Math.min(end - 4, bytes.length);
    for (let at = start + 8; at < last; at += STEP) {
      inflator.push(bytes.subarray(at, Math.min(last, at + STEP)));
      if (count > maxBytes) return false;
    }
  }
  return true;
}
