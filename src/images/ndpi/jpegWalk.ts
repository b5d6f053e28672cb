import { throwIfCanceled } from '../../base/errors';
import type { ByteSource } from '../byteSource';
import { damagedData } from '../raster';
import type { HuffmanTable, JpegStart } from './jpegParts';

/*
 * Data whose restart markers are missing, or not at the ends of rows, can only be read from the
 * start: the position of an MCU depends on all MCUs before it, and its brightness is stored as the
 * difference to the last one. So one walk over the data, which decodes no pixels, saves a
 * checkpoint every few MCUs. The MCUs after a checkpoint become a separate interval. Its brightness
 * codes are written anew, because its first MCU has no predecessor; all other codes are copied.
 */

/** Maximum bits of a code. */
const MAX_CODE = 16;
/** Bytes per read of a whole stream. */
const WINDOW = 4 << 20;
/** Each of a block's 64 coefficients has up to 16 + 15 bits; a byte 0xFF takes two bytes. */
const MAX_BLOCK_BYTES = 64 * 4 * 2;

/** A lookup table for codes: maps the next 16 bits to the code's length · 256 + its value. */
type Lookup = Uint16Array;

function lookupOf(table: HuffmanTable | undefined): Lookup {
  const lookup = new Uint16Array(1 << MAX_CODE);
  let code = 0;
  let at = 0;
  for (let length = 1; length <= MAX_CODE; length++) {
    for (let i = 0; i < (table?.counts[length - 1] ?? 0); i++, code++) {
      const first = code << (MAX_CODE - length);
      if (first >= lookup.length) throw damagedData('JPEG');
      lookup.fill((length << 8) | (table?.values[at++] ?? 0), first, first + (1 << (MAX_CODE - length)));
    }
    code <<= 1;
  }
  return lookup;
}

/** Starts of intervals: byte in the file, bits to skip in it, and last brightness by channel. */
export interface Checkpoints {
  bytes: Float64Array;
  bits: Uint8Array;
  lastBrightness: Int32Array;
  /** MCUs until the next restart marker, by checkpoint; 0 without markers. */
  restarts: Uint16Array;
}

/** Number of read bytes that stay in memory, because some of their bits may be unread. */
const RETAINED_BYTES = 16;

/** Reads bits of entropy-coded data, where 0xFF precedes a stuffed 0 or starts a marker. */
class BitReader {
  /** Bytes of the file from `start` on. */
  private bytes = new Uint8Array(0);
  private start: number;
  private at = 0;
  private bits = 0;
  private count = 0;
  /** Number of padding bytes after the data: `peek` may see them, but `skip` rejects them. */
  private padding = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly end: number,
    offset: number,
    /** Minimum bytes per read. */
    private readonly window = 0,
  ) {
    this.start = offset;
  }

  /** Loads the next `bytes` bytes, or as many as there are. */
  async load(bytes: number, signal?: AbortSignal): Promise<void> {
    const left = this.bytes.length - this.at;
    const from = this.start + this.at;
    if (left >= bytes || from + left >= this.end) return;
    const unread = Math.min(this.at, RETAINED_BYTES);
    const length = Math.min(this.end - from, Math.max(bytes, this.window)) + unread;
    this.bytes = new Uint8Array(await this.source.read(from - unread, length, signal));
    this.start = from - unread;
    this.at = unread;
  }

  /** The position of the next bit. */
  get position(): { byte: number; bit: number } {
    const left = this.count - 8 * this.padding;
    let { at } = this;
    for (let whole = Math.ceil(left / 8); whole > 0; whole--)
      at -= this.bytes[at - 1] === 0 && this.bytes[at - 2] === 0xff ? 2 : 1;
    return { byte: this.start + at, bit: (8 - (left % 8)) % 8 };
  }

  /** The next 16 bits; ones after the end. */
  peek(): number {
    while (this.count < MAX_CODE) this.takeByte();
    return (this.bits >>> (this.count - MAX_CODE)) & 0xffff;
  }

  /** Skips bits. Throws if the data ends before. */
  skip(length: number): void {
    if (length > this.count) this.peek();
    this.count -= length;
    if (this.count < 8 * this.padding) throw damagedData('JPEG');
  }

  /** Reads up to 16 bits. */
  read(length: number): number {
    if (length === 0) return 0;
    const bits = this.peek() >>> (MAX_CODE - length);
    this.skip(length);
    return bits;
  }

  /** Continues after the next marker. Throws unless it is a restart marker. */
  restart(): void {
    const { byte, bit } = this.position;
    this.at = byte - this.start;
    if (bit > 0) this.at += this.bytes[this.at] === 0xff ? 2 : 1;
    this.count = 0;
    this.padding = 0;
    // Fill bytes may precede it.
    while (this.bytes[this.at] === 0xff && this.bytes[this.at + 1] === 0xff) this.at++;
    const marker = this.bytes[this.at + 1] ?? 0;
    if (this.bytes[this.at] !== 0xff || marker < 0xd0 || marker > 0xd7) throw damagedData('JPEG');
    this.at += 2;
  }

  private takeByte(): void {
    const byte = this.bytes[this.at] ?? 0xff;
    const isEnd = this.at >= this.bytes.length || (byte === 0xff && this.bytes[this.at + 1] !== 0);
    if (isEnd) this.padding++;
    else this.at += byte === 0xff ? 2 : 1;
    this.bits = ((this.bits & 0xffff) << 8) | (isEnd ? 0xff : byte);
    this.count += 8;
  }
}

/** Finds the starts of MCUs in a stream, and extracts intervals of MCUs. */
export class JpegWalk {
  private readonly blocks: { channel: number; dc: Lookup; ac: Lookup }[];

  constructor(
    private readonly source: ByteSource,
    private readonly start: JpegStart,
    /** Start and end of the data in the file. */
    private readonly from: number,
    private readonly end: number,
  ) {
    const lookups = new Map<number, Lookup>();
    const lookup = (id: number) => {
      const table = lookups.get(id) ?? lookupOf(start.codes.get(id));
      lookups.set(id, table);
      return table;
    };
    this.blocks = start.channels.flatMap(({ across, down, dcTable, acTable }, channel) =>
      Array.from({ length: across * down }, () => ({
        channel,
        dc: lookup(dcTable),
        ac: lookup(0x10 | acTable),
      })),
    );
  }

  /**
   * Walks over all rows of MCUs and saves a checkpoint every `every` MCUs. A checkpoint is one MCU
   * early, except at a row's start, because decoders smooth colors across neighbors. `onRow` gets
   * the number of rows done. Throws if the data ends early, and `cancelled`.
   */
  async checkpoints(
    columns: number,
    rows: number,
    every: number,
    onRow: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<Checkpoints> {
    const perRow = Math.ceil(columns / every);
    const count = perRow * rows;
    const { channels, restart } = this.start;
    const checkpoints: Checkpoints = {
      bytes: new Float64Array(count),
      bits: new Uint8Array(count),
      lastBrightness: new Int32Array(count * channels.length),
      restarts: new Uint16Array(count),
    };
    const reader = new BitReader(this.source, this.end, this.from, WINDOW);
    const lastBrightness = new Int32Array(channels.length);
    let left = restart;
    for (let row = 0; row < rows; row++) {
      for (let part = 0; part < perRow; part++) {
        throwIfCanceled(signal);
        await reader.load(this.bytesOf(every), signal);
        const at = row * perRow + part;
        const { byte, bit } = reader.position;
        checkpoints.bytes[at] = byte;
        checkpoints.bits[at] = bit;
        checkpoints.lastBrightness.set(lastBrightness, at * channels.length);
        checkpoints.restarts[at] = left;
        const [from, to] = [
          firstMcuOf(part, every),
          part + 1 < perRow ? firstMcuOf(part + 1, every) : columns,
        ];
        left = this.walk(reader, to - from, lastBrightness, left);
      }
      onRow(row + 1);
    }
    return checkpoints;
  }

  /** The data of `mcus` MCUs from a checkpoint, as an interval for `intervalTables`. */
  async interval(
    checkpoints: Checkpoints,
    at: number,
    mcus: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const { channels } = this.start;
    const reader = new BitReader(this.source, this.end, checkpoints.bytes[at] ?? 0);
    await reader.load(this.bytesOf(mcus), signal);
    reader.skip(checkpoints.bits[at] ?? 0);
    const lastBrightness = checkpoints.lastBrightness.slice(at * channels.length, (at + 1) * channels.length);
    const out = new BitWriter();
    this.walk(reader, mcus, lastBrightness, checkpoints.restarts[at] ?? 0, out);
    return out.finish();
  }

  private bytesOf(mcus: number): number {
    return (mcus + 1) * this.blocks.length * MAX_BLOCK_BYTES + 16;
  }

  /**
   * Walks over MCUs and updates `lastBrightness` of each channel. Returns the number of MCUs
   * before the next restart marker.
   */
  private walk(
    reader: BitReader,
    mcus: number,
    lastBrightness: Int32Array,
    untilRestart: number,
    out?: BitWriter,
  ): number {
    const { restart } = this.start;
    /** By channel, the last brightness that was written; 0 at the start of an interval. */
    const written = new Int32Array(lastBrightness.length);
    let left = untilRestart;
    for (let mcu = 0; mcu < mcus; mcu++) {
      if (restart > 0 && left === 0) {
        reader.restart();
        lastBrightness.fill(0);
        left = restart;
      }
      left--;
      for (const { channel, dc, ac } of this.blocks) {
        const size = codeIn(reader, dc);
        if (size > 11) throw damagedData('JPEG');
        const brightness = (lastBrightness[channel] as number) + signed(reader.read(size), size);
        lastBrightness[channel] = brightness;
        out?.difference(brightness - (written[channel] as number));
        written[channel] = brightness;
        for (let at = 1; at < 64; at++) {
          const code = codeIn(reader, ac, out);
          const bits = code & 15;
          if (bits === 0) {
            // 0xf0 stands for 16 zeros, other codes for the end of the block.
            if (code !== 0xf0) break;
            at += 15;
            continue;
          }
          at += code >> 4;
          if (at > 63) throw damagedData('JPEG');
          const value = reader.read(bits);
          out?.write(value, bits);
        }
      }
    }
    return restart > 0 ? left : 0;
  }
}

/** Number in its row of the MCU at which a checkpoint is. */
export function firstMcuOf(part: number, every: number): number {
  return Math.max(0, part * every - 1);
}

/** Reads the next code and returns its value; copies the code to `out`. */
function codeIn(reader: BitReader, lookup: Lookup, out?: BitWriter): number {
  const bits = reader.peek();
  const entry = lookup[bits] as number;
  const length = entry >> 8;
  if (length === 0) throw damagedData('JPEG');
  reader.skip(length);
  out?.write(bits >>> (MAX_CODE - length), length);
  return entry & 255;
}

/** Decodes a difference of `size` bits; it is negative if its first bit is 0. */
function signed(bits: number, size: number): number {
  return size > 0 && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}

/** Number of sizes of differences; each gets a four-bit code, even if the file has none for it. */
const SIZES = 13;

/** Huffman tables for the brightness in rewritten intervals; they replace the file's. */
export const intervalTables: Uint8Array = Uint8Array.from(
  [0, 1, 2, 3].flatMap(table => [
    ...[0xff, 0xc4, 0, 19 + SIZES, table],
    ...Array.from({ length: 16 }, (_, i) => (i === 3 ? SIZES : 0)),
    ...Array.from({ length: SIZES }, (_, size) => size),
  ]),
);

class BitWriter {
  private bytes = new Uint8Array(4096);
  private length = 0;
  private bits = 0;
  private count = 0;

  difference(value: number): void {
    const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value));
    if (size >= SIZES) throw damagedData('JPEG');
    this.write(size, 4);
    this.write(value < 0 ? value + 2 ** size - 1 : value, size);
  }

  write(bits: number, length: number): void {
    this.bits = (this.bits << length) | bits;
    this.count += length;
    while (this.count >= 8) {
      this.count -= 8;
      this.put((this.bits >>> this.count) & 255);
    }
    this.bits &= (1 << this.count) - 1;
  }

  finish(): Uint8Array {
    if (this.count > 0) this.write((1 << (8 - this.count)) - 1, 8 - this.count);
    return this.bytes.slice(0, this.length);
  }

  private put(byte: number): void {
    if (this.length + 2 > this.bytes.length) {
      const longer = new Uint8Array(this.bytes.length * 2);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    this.bytes[this.length++] = byte;
    if (byte === 0xff) this.bytes[this.length++] = 0;
  }
}
