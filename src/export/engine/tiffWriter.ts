import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { OutputFile } from '../../base/node/outputFolder';

/** Approximate uncompressed bytes of a strip; small, so that a region can be read alone. */
const STRIP_BYTES = 256 * 1024;
/** Space for either header, because only the final size decides whether it is a BigTIFF. */
const HEADER_BYTES = 16;
/** Bytes beyond which offsets may not fit into 32 bits. */
const CLASSIC_LIMIT = 2 ** 32 - 2 ** 20;

const DEFLATE = 8;
const BLACK_IS_ZERO = 1;
const UNSIGNED = 1;

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const LONG8 = 16;
const BYTES_OF = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [LONG8]: 8 } as const;
type FieldType = keyof typeof BYTES_OF;

interface Field {
  tag: number;
  type: FieldType;
  values: ArrayLike<number>;
}

const deflateStrip = promisify<Uint8Array, Buffer>(deflate);

/** Number of rows per strip, for rows of `rowBytes` bytes. */
export function rowsPerStrip(rowBytes: number, height: number): number {
  return Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / rowBytes)));
}

/**
 * Writes a gray image of unsigned 16- or 32-bit samples as little-endian TIFF 6.0 with deflated
 * strips. It writes strip by strip, so that the whole image is never in memory. Over 4 GB it
 * becomes a BigTIFF. Available libraries only read TIFF, or write a whole image uncompressed.
 */
export class TiffWriter {
  private readonly offsets: number[] = [];
  private readonly sizes: number[] = [];

  private constructor(
    private readonly file: OutputFile,
    private readonly image: { width: number; height: number; bits: 16 | 32; description: string },
    readonly rowsPerStrip: number,
    private readonly classicLimit: number,
  ) {}

  /** `classicLimit`: bytes above which the file becomes a BigTIFF. */
  static async begin(
    file: OutputFile,
    image: { width: number; height: number; bits: 16 | 32; description: string },
    classicLimit = CLASSIC_LIMIT,
  ): Promise<TiffWriter> {
    await file.append(new Uint8Array(HEADER_BYTES));
    const rows = rowsPerStrip((image.width * image.bits) / 8, image.height);
    return new TiffWriter(file, image, rows, classicLimit);
  }

  /**
   * Appends strips from top to bottom: little-endian samples, row-major, `rowsPerStrip` rows each
   * (the last may have fewer).
   */
  async addStrips(strips: readonly Uint8Array[]): Promise<void> {
    // The thread pool compresses the strips in parallel.
    for (const bytes of await Promise.all(strips.map(strip => deflateStrip(strip)))) {
      this.offsets.push(this.file.size);
      this.sizes.push(bytes.byteLength);
      await this.file.append(bytes);
    }
  }

  /** Writes the directory and points the header to it. */
  async finish(): Promise<void> {
    if (this.file.size % 2 === 1) await this.file.append(new Uint8Array(1));
    const position = this.file.size;
    const directorySize = this.offsets.length * 16 + 1024 + this.image.description.length;
    const isBig = position + directorySize > this.classicLimit;
    await this.file.append(directory(this.fields(isBig), position, isBig));
    await this.file.patch(header(position, isBig), 0);
  }

  private fields(isBig: boolean): Field[] {
    const { width, height, bits, description } = this.image;
    const offset = isBig ? LONG8 : LONG;
    const text = new TextEncoder().encode(`${description.replace(/[^\x20-\x7e]/g, '?')}\0`);
    return [
      { tag: 256, type: LONG, values: [width] },
      { tag: 257, type: LONG, values: [height] },
      { tag: 258, type: SHORT, values: [bits] },
      { tag: 259, type: SHORT, values: [DEFLATE] },
      { tag: 262, type: SHORT, values: [BLACK_IS_ZERO] },
      { tag: 270, type: ASCII, values: text },
      { tag: 273, type: offset, values: this.offsets },
      { tag: 277, type: SHORT, values: [1] },
      { tag: 278, type: LONG, values: [this.rowsPerStrip] },
      { tag: 279, type: offset, values: this.sizes },
      { tag: 284, type: SHORT, values: [1] },
      { tag: 339, type: SHORT, values: [UNSIGNED] },
    ];
  }
}

function header(directoryAt: number, isBig: boolean): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49]);
  view.setUint16(2, isBig ? 43 : 42, true);
  if (isBig) {
    view.setUint16(4, 8, true);
    view.setBigUint64(8, BigInt(directoryAt), true);
  } else {
    view.setUint32(4, directoryAt, true);
  }
  return bytes;
}

/** A directory at an offset of the file, followed by the values that don't fit into it. */
function directory(fields: readonly Field[], offset: number, isBig: boolean): Uint8Array {
  const [countBytes, entryBytes, slotBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const length = countBytes + fields.length * entryBytes + slotBytes;
  const outsideSizes = fields.map(({ type, values }) => {
    const bytes = values.length * BYTES_OF[type];
    return bytes > slotBytes ? bytes + (bytes % 2) : 0;
  });
  const bytes = new Uint8Array(length + outsideSizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  const putOffset = (position: number, value: number) =>
    isBig ? view.setBigUint64(position, BigInt(value), true) : view.setUint32(position, value, true);
  if (isBig) view.setBigUint64(0, BigInt(fields.length), true);
  else view.setUint16(0, fields.length, true);
  let next = length;
  fields.forEach(({ tag, type, values }, index) => {
    const entry = countBytes + index * entryBytes;
    view.setUint16(entry, tag, true);
    view.setUint16(entry + 2, type, true);
    putOffset(entry + 4, values.length);
    const size = outsideSizes[index] ?? 0;
    const valueOffset = size > 0 ? next : entry + entryBytes - slotBytes;
    if (size > 0) putOffset(entry + entryBytes - slotBytes, offset + next);
    next += size;
    for (let item = 0; item < values.length; item++)
      putValue(view, valueOffset + item * BYTES_OF[type], type, values[item] ?? 0);
  });
  return bytes;
}

function putValue(view: DataView, position: number, type: FieldType, value: number): void {
  if (type === ASCII) view.setUint8(position, value);
  else if (type === SHORT) view.setUint16(position, value, true);
  else if (type === LONG) view.setUint32(position, value, true);
  else view.setBigUint64(position, BigInt(value), true);
}
