import { reason } from '../../base/reasons';
import { DecodingError } from '../unreadableRaster';
import type { ByteSource } from '../../base/byteSource';

/** Bytes of one value of each field type; types 5 and 10 are fractions of two 32-bit numbers. */
export const TYPE_SIZES: Readonly<Record<number, number>> = {
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
/** Bytes of one tag that are read at once; OME-XML of large plates has tens of megabytes. */
const MAX_TAG_BYTES = 256e6;
/** Values of one tag that become numbers at once: a palette of 16 bits has 196,608. */
const MAX_VALUES = 1 << 20;
/** Values of a long list, such as the offsets of a million tiles, that are read at a time. */
const WINDOW = 4096;
const MAX_WINDOWS = 64;

export interface TiffEncoding {
  littleEndian: boolean;
  /** BigTIFF: counts and offsets of 64 bits. */
  big: boolean;
}

/** Where the values of one tag are, and of which type. */
export interface TiffField {
  type: number;
  count: number;
  /** Where the values are in the file. */
  offset: number;
}

/** One directory (IFD) of a TIFF file; values are read on demand. */
export class TiffDirectory {
  private readonly windows = new Map<string, Promise<number[]>>();

  constructor(
    readonly source: ByteSource,
    readonly encoding: TiffEncoding,
    private readonly entries: ReadonlyMap<number, TiffField>,
  ) {}

  /** How many values a tag has; 0 without it. */
  count(tag: number): number {
    return this.entries.get(tag)?.count ?? 0;
  }

  /** All values of a tag as numbers (fractions divided out), empty without it. */
  async numbers(tag: number): Promise<number[]> {
    const entry = this.entries.get(tag);
    return entry ? this.read(entry, 0, entry.count) : [];
  }

  /** The first value of a tag. */
  async number(tag: number): Promise<number | undefined> {
    const entry = this.entries.get(tag);
    return entry && entry.count > 0 ? (await this.read(entry, 0, 1))[0] : undefined;
  }

  /** One value of a long list; its neighbors are read with it and cached. */
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

  /** The bytes of a tag, as in the file. */
  async bytes(tag: number): Promise<Uint8Array> {
    const entry = this.entries.get(tag);
    if (!entry) return new Uint8Array(0);
    const length = entry.count * (TYPE_SIZES[entry.type] ?? 1);
    if (length > MAX_TAG_BYTES) throw new DecodingError(reason('tiff-field-too-long', tag, length));
    return this.source.read(entry.offset, length);
  }

  /** A tag's text up to its end, UTF-8. */
  async text(tag: number): Promise<string> {
    const bytes = await this.bytes(tag);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  private async read({ type, count, offset }: TiffField, first: number, end: number): Promise<number[]> {
    const size = TYPE_SIZES[type];
    if (size === undefined || end > count) throw new DecodingError(reason('tiff-field-type', type));
    if (end - first > MAX_VALUES) throw new DecodingError(reason('tiff-too-many-values', end - first));
    const bytes = await this.source.read(offset + first * size, (end - first) * size);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: end - first }, (_, i) =>
      valueAt(view, i * size, type, this.encoding.littleEndian),
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
