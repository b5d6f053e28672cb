import { fromArrayBuffer, type GeoTIFF, type GeoTIFFImage } from 'geotiff';
import { orientationNote } from './exifOrientation';
import { checkRasterSize, unreadableRaster, type Raster, type Samples } from './raster';

/** Compressions by their TIFF numbers; those that are read say so. */
const COMPRESSIONS: ReadonlyMap<number, { name: string; readable: boolean }> = new Map([
  [1, { name: 'none', readable: true }],
  [2, { name: 'CCITT modified Huffman', readable: false }],
  [3, { name: 'CCITT Group 3 fax', readable: false }],
  [4, { name: 'CCITT Group 4 fax', readable: false }],
  [5, { name: 'LZW', readable: true }],
  [6, { name: 'old-style JPEG', readable: false }],
  [7, { name: 'JPEG', readable: true }],
  [8, { name: 'Deflate', readable: true }],
  [32773, { name: 'PackBits', readable: true }],
  [32946, { name: 'Deflate', readable: true }],
  [33003, { name: 'JPEG 2000 (Aperio)', readable: false }],
  [33004, { name: 'JPEG 2000 (Aperio)', readable: false }],
  [33005, { name: 'JPEG 2000 (Aperio)', readable: false }],
  [34712, { name: 'JPEG 2000', readable: false }],
  [34887, { name: 'LERC', readable: true }],
  [34892, { name: 'lossy JPEG (DNG)', readable: false }],
  [34925, { name: 'LZMA', readable: false }],
  [34933, { name: 'PNG', readable: false }],
  [34934, { name: 'JPEG XR', readable: false }],
  [50000, { name: 'Zstandard', readable: true }],
  [50001, { name: 'WebP', readable: false }],
  [50002, { name: 'JPEG XL', readable: false }],
  [52546, { name: 'JPEG XL', readable: false }],
]);

/** Pages are counted no further than this: a damaged file may chain them in a ring. */
const MOST_PAGES_COUNTED = 1000;

/** PhotometricInterpretation. */
const WHITE_IS_ZERO = 0;
const BLACK_IS_ZERO = 1;
const RGB = 2;
const PALETTE = 3;
const CMYK = 5;
const YCBCR = 6;
const CIELAB = 8;

/** Decodes the first page of a TIFF or BigTIFF file. */
export async function decodeTiff(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const file = await fromArrayBuffer(ownBuffer(bytes));
  const image = await file.getImage(0);
  const width = image.getWidth();
  const height = image.getHeight();
  const channels = image.getSamplesPerPixel();
  checkRasterSize(fileName, width, height, channels, maxSamples);
  await checkLayout(image, fileName, maxSamples);
  const notes = [
    ...(await pageNote(file)),
    ...orientationNote((await loadNumber(image, 'Orientation')) ?? 1),
  ];
  const photometric = (await loadNumber(image, 'PhotometricInterpretation')) ?? BLACK_IS_ZERO;
  const page: Page = { image, fileName, width, height, notes };
  if (photometric === PALETTE) return readPalette(page);
  if (photometric === YCBCR || photometric === CMYK || photometric === CIELAB)
    return readAsRgb(page, photometric);
  const read = await image.readRasters({ interleave: true });
  const alpha = alphaChannel(image, channels);
  return {
    width,
    height,
    channels,
    ...asSamples(read, image.getBitsPerSample(0), notes),
    photometric: photometricName(photometric),
    ...(alpha === undefined ? {} : { alpha }),
    notes,
  };
}

interface Page {
  image: GeoTIFFImage;
  fileName: string;
  width: number;
  height: number;
  notes: string[];
}

type Tag = 'Compression' | 'Orientation' | 'PhotometricInterpretation';

/** The bytes as a buffer of their own, copied only when they are part of a larger one. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength) return buffer;
  return new Uint8Array(bytes).buffer;
}

async function loadNumber(image: GeoTIFFImage, tag: Tag): Promise<number | undefined> {
  const value: unknown = await image.fileDirectory.loadValue(tag);
  return typeof value === 'number' ? value : undefined;
}

/** Refuses, by name, what the library would misread or fail on. */
async function checkLayout(image: GeoTIFFImage, fileName: string, maxSamples: number): Promise<void> {
  const compression = (await loadNumber(image, 'Compression')) ?? 1;
  const known = COMPRESSIONS.get(compression);
  if (!known?.readable) {
    throw unreadableRaster(
      fileName,
      `its compression, ${known?.name ?? `number ${compression}`}, is not supported`,
    );
  }
  const bits = Array.from({ length: image.getSamplesPerPixel() }, (_, i) => image.getBitsPerSample(i));
  const [first = 0] = bits;
  if (first === 0) throw unreadableRaster(fileName, 'it does not say how many bits its samples have');
  if (!bits.every(value => value === first))
    throw unreadableRaster(fileName, 'its channels differ in their bits');
  if (![1, 2, 4, 8, 10, 12, 14, 16, 32, 64].includes(first)) {
    throw unreadableRaster(fileName, `samples of ${first} bits are not supported`);
  }
  // A single tile may be larger than the picture.
  checkRasterSize(
    fileName,
    image.getTileWidth(),
    image.getTileHeight(),
    image.getSamplesPerPixel(),
    maxSamples,
  );
  const subsampling: unknown = await image.fileDirectory.loadValue('YCbCrSubSampling');
  const subsampled = !isNumberList(subsampling) || subsampling[0] !== 1 || subsampling[1] !== 1;
  if ((await loadNumber(image, 'PhotometricInterpretation')) === YCBCR && compression !== 7 && subsampled) {
    throw unreadableRaster(fileName, 'YCbCr with subsampled colours is supported only with JPEG compression');
  }
}

async function pageNote(file: GeoTIFF): Promise<string[]> {
  let pages = 1;
  try {
    while (pages < MOST_PAGES_COUNTED) {
      await file.getImage(pages);
      pages++;
    }
  } catch {
    // There is no further page, or none that can be read.
    return pages === 1 ? [] : [`The file holds ${pages} pages; only the first is read.`];
  }
  return [`The file holds ${pages} pages or more; only the first is read.`];
}

function alphaChannel(image: GeoTIFFImage, channels: number): number | undefined {
  const extra: unknown = image.fileDirectory.getValue('ExtraSamples');
  const kinds = typeof extra === 'number' ? [extra] : isNumberList(extra) ? Array.from(extra) : [];
  // 1 is premultiplied alpha, 2 is not; extra samples come last.
  const position = kinds.findIndex(kind => kind === 1 || kind === 2);
  return position === -1 || kinds.length >= channels ? undefined : channels - kinds.length + position;
}

function isNumberList(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || value instanceof Uint16Array || value instanceof Uint8Array;
}

function photometricName(photometric: number): Raster['photometric'] {
  if (photometric === WHITE_IS_ZERO) return 'white-is-zero';
  if (photometric === BLACK_IS_ZERO) return 'black-is-zero';
  return photometric === RGB ? 'rgb' : 'other';
}

/** The samples in one of the raster's types. Signed and double numbers become floats, which is noted. */
function asSamples(
  read: ArrayLike<number>,
  bits: number,
  notes: string[],
): Pick<Raster, 'samples' | 'bitsPerSample'> {
  if (read instanceof Uint8Array && bits < 8) {
    notes.push(`Samples of ${bits} bits were spread to 0…255.`);
    return { samples: read.map(sample => Math.round((sample * 255) / (2 ** bits - 1))), bitsPerSample: 8 };
  }
  // Views of their own: the library hangs a width and a height on its arrays.
  if (read instanceof Uint8Array) return { samples: new Uint8Array(read.buffer), bitsPerSample: 8 };
  if (read instanceof Uint16Array) return { samples: new Uint16Array(read.buffer), bitsPerSample: 16 };
  if (read instanceof Uint32Array) return { samples: new Uint32Array(read.buffer), bitsPerSample: 32 };
  if (read instanceof Float32Array) return { samples: new Float32Array(read.buffer), bitsPerSample: 32 };
  const samples: Samples = Float32Array.from(read);
  const exact = bits <= 16;
  notes.push(
    exact ? 'Signed samples were read as floats.' : 'Samples were read as floats of single precision.',
  );
  return { samples, bitsPerSample: 32 };
}

async function readPalette({ image, fileName, width, height, notes }: Page): Promise<Raster> {
  const indexes = await image.readRasters({ interleave: true, samples: [0] });
  const map: unknown = await image.fileDirectory.loadValue('ColorMap');
  const bits = image.getBitsPerSample(0);
  const colours = 2 ** bits;
  if (!isNumberList(map) || map.length < 3 * colours)
    throw unreadableRaster(fileName, 'its palette is missing');
  const samples = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const index = Number(indexes[i] ?? 0);
    // All reds, then all greens, then all blues, 16 bits each.
    for (let c = 0; c < 3; c++) samples[i * 3 + c] = (map[c * colours + index] ?? 0) >> 8;
  }
  return { width, height, channels: 3, bitsPerSample: 8, samples, photometric: 'rgb', notes };
}

async function readAsRgb(
  { image, fileName, width, height, notes }: Page,
  photometric: number,
): Promise<Raster> {
  if (image.getBitsPerSample(0) !== 8)
    throw unreadableRaster(fileName, 'its colour space is supported with 8 bits only');
  const read = await image.readRGB({ interleave: true });
  if (photometric !== YCBCR)
    notes.push(`${photometric === CMYK ? 'CMYK' : 'CIE L*a*b*'} colours were turned into RGB.`);
  const samples = Uint8Array.from(read as ArrayLike<number>);
  return { width, height, channels: 3, bitsPerSample: 8, samples, photometric: 'rgb', notes };
}
