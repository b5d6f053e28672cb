import type { ByteSource } from '../byteSource';
import { throwIfCanceled } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { DecodingError } from '../raster';

/** The TIFF tags that are read. */
export const Tag = {
  subfileType: 254,
  oldSubfileType: 255,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  imageDescription: 270,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  xResolution: 282,
  yResolution: 283,
  planarConfiguration: 284,
  resolutionUnit: 296,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subIfds: 330,
  inkSet: 332,
  numberOfInks: 334,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  xmp: 700,
  ycbcrCoefficients: 529,
  ycbcrSubsampling: 530,
  referenceBlackWhite: 532,
  imageDepth: 32997,
  tileDepth: 32998,
  gdalNoData: 42113,
  lercParameters: 50674,
  /** Tags of Hamamatsu's NDPI files. */
  ndpiFormat: 65420,
  ndpiLens: 65421,
  ndpiFocus: 65424,
  ndpiMcuStarts: 65426,
  ndpiMcuStartsHigh: 65432,
} as const;

/** PhotometricInterpretation: the meaning of the samples. */
export const Photometric = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  cmyk: 5,
  ycbcr: 6,
  cielab: 8,
  icclab: 9,
} as const;

/** Bytes of one value of each field type; types 5 and 10 are fractions of two 32-bit numbers. */
const TYPE_SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};
const ASCII = 2;
/** Maximum bytes of a tag; OME-XML of large plates has tens of megabytes. */
const MAX_TAG_BYTES = 256e6;
/** Maximum values of a tag to read as numbers; a palette of 16 bits has 196,608. */
const MAX_VALUES = 1 << 20;
/** Values per read of a long list, such as the offsets of tiles, and maximum cached reads. */
const WINDOW = 4096;
const MAX_WINDOWS = 64;

interface TiffEncoding {
  littleEndian: boolean;
  /** BigTIFF: counts and offsets of 64 bits. */
  big: boolean;
  /** NDPI: TIFF with 64-bit links; the high halves of values and offsets follow a directory. */
  ndpi?: true;
}

/** Position and type of a tag's values. */
interface TiffField {
  type: number;
  count: number;
  /** Position of the values in the file, unless the directory itself holds them. */
  offset: number;
  inline?: Uint8Array;
  /** The high half of a single value (NDPI). */
  high?: number;
}

/** One directory (IFD) of a TIFF file; values are read on demand. */
export class TiffDirectory {
  private readonly windows = new Map<string, Promise<number[]>>();

  constructor(
    readonly source: ByteSource,
    readonly encoding: TiffEncoding,
    private readonly entries: ReadonlyMap<number, TiffField>,
  ) {}

  /** Number of a tag's values; 0 without the tag. */
  count(tag: number): number {
    return this.entries.get(tag)?.count ?? 0;
  }

  /** All values of a tag as numbers, fractions as quotients; empty without the tag. */
  async numbers(tag: number): Promise<number[]> {
    const entry = this.entries.get(tag);
    return entry ? this.read(entry, 0, entry.count) : [];
  }

  /** The first value of a tag. */
  async number(tag: number): Promise<number | undefined> {
    const entry = this.entries.get(tag);
    return entry && entry.count > 0 ? (await this.read(entry, 0, 1))[0] : undefined;
  }

  /** One value of a long list; reads and caches its neighbors too. */
  async element(tag: number, index: number): Promise<number | undefined> {
    const entry = this.entries.get(tag);
    if (!entry || index < 0 || index >= entry.count) return undefined;
    const first = Math.floor(index / WINDOW) * WINDOW;
    const key = `${tag}/${first}`;
    let window = this.windows.get(key);
    if (!window) {
      window = this.read(entry, first, Math.min(entry.count, first + WINDOW));
      this.windows.set(key, window);
      window.catch(() => this.windows.delete(key));
      const [oldest] = this.windows.keys();
      if (this.windows.size > MAX_WINDOWS && oldest !== undefined) this.windows.delete(oldest);
    }
    return (await window)[index - first];
  }

  /** The bytes of a tag's values, in the file's byte order. */
  async bytes(tag: number): Promise<Uint8Array> {
    const entry = this.entries.get(tag);
    if (!entry) return new Uint8Array(0);
    const length = entry.count * (TYPE_SIZES[entry.type] ?? 1);
    if (length > MAX_TAG_BYTES) throw new DecodingError(reason('TIFF tag {0} has {1} bytes', tag, length));
    return entry.inline?.subarray(0, length) ?? this.source.read(entry.offset, length);
  }

  /** A tag's text, up to the first zero byte, decoded as UTF-8. */
  async text(tag: number): Promise<string> {
    const bytes = await this.bytes(tag);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  private async read(
    { type, count, offset, inline, high = 0 }: TiffField,
    first: number,
    end: number,
  ): Promise<number[]> {
    const size = TYPE_SIZES[type];
    if (size === undefined || end > count)
      throw new DecodingError(reason('TIFF field type {0} is unknown', type));
    if (end - first > MAX_VALUES) throw new DecodingError(reason('A TIFF field has {0} values', end - first));
    const length = (end - first) * size;
    const view = viewOf(
      inline?.subarray(first * size, end * size) ?? (await this.source.read(offset + first * size, length)),
    );
    return Array.from(
      { length: end - first },
      (_, i) => valueAt(view, i * size, type, this.encoding.littleEndian) + high * 2 ** 32,
    );
  }
}

function valueAt(view: DataView, at: number, type: number, little: boolean): number {
  switch (type) {
    case 3:
      return view.getUint16(at, little);
    case 4:
    case 13:
      return view.getUint32(at, little);
    case 5:
      return view.getUint32(at, little) / view.getUint32(at + 4, little);
    case 6:
      return view.getInt8(at);
    case 8:
      return view.getInt16(at, little);
    case 9:
      return view.getInt32(at, little);
    case 10:
      return view.getInt32(at, little) / view.getInt32(at + 4, little);
    case 11:
      return view.getFloat32(at, little);
    case 12:
      return view.getFloat64(at, little);
    case 16:
    case 18:
      return Number(view.getBigUint64(at, little));
    case 17:
      return Number(view.getBigInt64(at, little));
    default:
      return view.getUint8(at);
  }
}

/** Maximum directories of a file; damaged files may chain them without end. */
const MAX_DIRECTORIES = 20_000;
/** Maximum fields of a directory; real ones have dozens. */
const MAX_FIELDS = 4096;
/** Tags whose fields are stored; others are never read. */
const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(Tag));

/** The encoding of a TIFF ("II" or "MM", then 42) or BigTIFF (43) file; undefined for others. */
export function tiffEncoding(start: Uint8Array): TiffEncoding | undefined {
  const [a, b, c, d] = start;
  const littleEndian = a === 0x49 && b === 0x49;
  if (!littleEndian && !(a === 0x4d && b === 0x4d)) return undefined;
  const version = littleEndian ? c : d;
  if ((littleEndian ? d : c) !== 0 || (version !== 42 && version !== 43)) return undefined;
  return { littleEndian, big: version === 43 };
}

/** A file's encoding, and the offset of its first directory. A tag there identifies NDPI. */
async function startOf(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ encoding: TiffEncoding; first: number }> {
  const start = await source.read(0, Math.min(16, source.size), signal);
  const encoding = tiffEncoding(start);
  if (!encoding) throw new DecodingError(reason("The file isn't a PNG, JPEG, WebP or TIFF file"));
  const { big, littleEndian } = encoding;
  const view = viewOf(start);
  // Offset of the first directory: @4, in BigTIFF @8; of 64 bits in BigTIFF and NDPI.
  if (big) return { encoding, first: Number(view.getBigUint64(8, littleEndian)) };
  const first = view.getUint32(4, littleEndian);
  if (!littleEndian || view.byteLength < 12) return { encoding, first };
  const ndpi: TiffEncoding = { ...encoding, ndpi: true };
  const long = Number(view.getBigUint64(4, littleEndian));
  const isNdpi = await readDirectory(source, ndpi, long).then(
    ({ directory }) => directory.count(Tag.ndpiFormat) > 0,
    () => false,
  );
  throwIfCanceled(signal);
  return isNdpi ? { encoding: ndpi, first: long } : { encoding, first };
}

/** The first directory of a TIFF, BigTIFF or NDPI file. */
export async function readFirstDirectory(source: ByteSource, signal?: AbortSignal): Promise<TiffDirectory> {
  const { encoding, first } = await startOf(source, signal);
  return (await readDirectory(source, encoding, first)).directory;
}

/**
 * Reads the chain of directories of a TIFF, BigTIFF or NDPI file. Adds a note if the chain is cut
 * off, circular or too long. Throws if the first directory can't be read.
 */
export async function readDirectories(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ directories: TiffDirectory[]; notes: Reason[] }> {
  const { encoding, first } = await startOf(source, signal);
  let next = first;
  const directories: TiffDirectory[] = [];
  const upToDamage = () => ({
    directories,
    notes: [reason('The list of pages is damaged; only pages before the damage are read')],
  });
  const seen = new Set<number>();
  while (next !== 0) {
    throwIfCanceled(signal);
    if (seen.has(next) || seen.size >= MAX_DIRECTORIES) return upToDamage();
    seen.add(next);
    try {
      const read = await readDirectory(source, encoding, next);
      directories.push(read.directory);
      next = read.next;
    } catch (error) {
      if (directories.length === 0) throw error;
      return upToDamage();
    }
  }
  if (directories.length === 0) throw new DecodingError(reason('The file contains no image'));
  return { directories, notes: [] };
}

/** Reads the directory at an offset, and the offset of the next directory (0 for none). */
export async function readDirectory(
  source: ByteSource,
  encoding: TiffEncoding,
  offset: number,
): Promise<{ directory: TiffDirectory; next: number }> {
  const { littleEndian: little, big, ndpi } = encoding;
  const [countSize, entrySize, linkSize] = big ? [8, 20, 8] : [2, 12, ndpi ? 8 : 4];
  const head = viewOf(await source.read(offset, countSize));
  const count = big ? Number(head.getBigUint64(0, little)) : head.getUint16(0, little);
  if (count > MAX_FIELDS) throw new DecodingError(reason('A TIFF directory has {0} fields', count));
  // In NDPI, the high halves of all entries' values or offsets follow the link.
  const length = count * entrySize + linkSize + (ndpi ? 4 * count : 0);
  const view = viewOf(await source.read(offset + countSize, length));
  const entries = new Map<number, TiffField>();
  for (let i = 0; i < count; i++) {
    // Tag u16 @0, type u16 @2, count @4 (u32 or u64), then the values if they fit, else their
    // offset.
    const at = i * entrySize;
    const tag = view.getUint16(at, little);
    if (!KNOWN_TAGS.has(tag) || entries.has(tag)) continue;
    const type = view.getUint16(at + 2, little);
    const values = big ? Number(view.getBigUint64(at + 4, little)) : view.getUint32(at + 4, little);
    const [valueOffset, valueSize] = big ? [at + 12, 8] : [at + 8, 4];
    // NDPI never stores texts in the entry, even short ones.
    const fits = values * (TYPE_SIZES[type] ?? 1) <= valueSize && !(ndpi && type === ASCII);
    const high = ndpi ? view.getUint32(count * entrySize + linkSize + 4 * i, little) : 0;
    const target = big
      ? Number(view.getBigUint64(valueOffset, little))
      : view.getUint32(valueOffset, little) + high * 2 ** 32;
    const isLong = fits && high > 0 && (type === 4 || type === 13);
    const inline = fits && { inline: new Uint8Array(view.buffer, view.byteOffset + valueOffset, valueSize) };
    entries.set(tag, { type, count: values, offset: target, ...inline, ...(isLong && { high }) });
  }
  const link = count * entrySize;
  const next = linkSize === 8 ? Number(view.getBigUint64(link, little)) : view.getUint32(link, little);
  return { directory: new TiffDirectory(source, encoding, entries), next };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
