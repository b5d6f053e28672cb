import { type ByteSource, checkReach } from '../../../../src/images/byteSource';

interface Segment {
  start: number;
  end: number;
  /** Writes the segment's bytes from `offset` on. */
  write(out: Uint8Array, offset: number): void;
}

export interface SyntheticLevel {
  width: number;
  height: number;
  /** Edge of its square tiles; 0 for strips of one row. */
  tile: number;
  /** 8-bit sample of a pixel. */
  sample(x: number, y: number): number;
}

/** A BigTIFF file of 8-bit gray, not on disk: bytes are computed and counted when read. */
export class SyntheticTiff implements ByteSource {
  readonly size: number;
  bytesRead = 0;
  reads = 0;
  private readonly segments: Segment[] = [];

  constructor(
    levels: readonly SyntheticLevel[],
    private readonly onRead: () => void = () => undefined,
  ) {
    let end = 16;
    const put = (length: number, write: Segment['write']) => {
      const start = end;
      end += length;
      this.segments.push({ start, end, write });
      return start;
    };
    const header = new DataView(new ArrayBuffer(16));
    header.setUint32(0, 0x4949_2b00);
    header.setUint16(4, 8, true);
    header.setBigUint64(8, 16n, true);
    this.segments.push({ start: 0, end: 16, write: copyOf(header) });
    const directories = levels.map(() => new DataView(new ArrayBuffer(8 + 10 * 20 + 8)));
    const places = directories.map(view => put(view.byteLength, copyOf(view)));
    for (const [at, level] of levels.entries()) {
      const { width, height, tile, sample } = level;
      const [blockWidth, blockHeight] = tile ? [tile, tile] : [width, 1];
      const across = Math.ceil(width / blockWidth);
      const count = across * Math.ceil(height / blockHeight);
      const blockBytes = blockWidth * blockHeight;
      const data = end + 16 * count;
      const list = (value: (index: number) => number) =>
        put(8 * count, (out, offset) => {
          const bytes = new DataView(new ArrayBuffer(8));
          for (let i = 0; i < out.length; i++) {
            if (i === 0 || (offset + i) % 8 === 0)
              bytes.setBigUint64(0, BigInt(value(Math.floor((offset + i) / 8))), true);
            out[i] = bytes.getUint8((offset + i) % 8);
          }
        });
      const offsets = list(index => data + index * blockBytes);
      const counts = list(() => blockBytes);
      put(count * blockBytes, (out, offset) => {
        // Row by row of each block: dividing for each sample takes longer than all the rest.
        for (let i = 0; i < out.length;) {
          const block = Math.floor((offset + i) / blockBytes);
          const within = offset + i - block * blockBytes;
          const left = (block % across) * blockWidth;
          const y = Math.floor(block / across) * blockHeight + Math.floor(within / blockWidth);
          for (let column = within % blockWidth; column < blockWidth && i < out.length; column++)
            out[i++] = sample(left + column, y);
        }
      });
      const inline = (value: number) => BigInt(value);
      const entries: [tag: number, type: number, count: number, value: bigint][] = [
        [256, 4, 1, inline(width)],
        [257, 4, 1, inline(height)],
        [258, 3, 1, 8n],
        [259, 3, 1, 1n],
        [262, 3, 1, 1n],
        [tile ? 324 : 273, 16, count, inline(offsets)],
        [tile ? 325 : 279, 16, count, inline(counts)],
        [277, 3, 1, 1n],
        [tile ? 322 : 278, 4, 1, inline(tile || 1)],
        [tile ? 323 : 339, tile ? 4 : 3, 1, inline(tile || 1)],
      ];
      const view = directories[at] ?? new DataView(new ArrayBuffer(0));
      view.setBigUint64(0, BigInt(entries.length), true);
      for (const [i, [tag, type, values, value]] of entries.entries()) {
        view.setUint16(8 + i * 20, tag, true);
        view.setUint16(10 + i * 20, type, true);
        view.setBigUint64(12 + i * 20, BigInt(values), true);
        view.setBigUint64(20 + i * 20, value, true);
      }
      view.setBigUint64(8 + entries.length * 20, BigInt(places[at + 1] ?? 0), true);
    }
    this.size = end;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    // Asynchronous, as a file is.
    await new Promise(resolve => setImmediate(resolve));
    checkReach(offset, length, this.size);
    this.bytesRead += length;
    this.reads++;
    this.onRead();
    const out = new Uint8Array(length);
    for (const { start, end, write } of this.segments) {
      const from = Math.max(start, offset);
      const to = Math.min(end, offset + length);
      if (from < to) write(out.subarray(from - offset, to - offset), from - start);
    }
    return out;
  }
}

function copyOf(view: DataView): Segment['write'] {
  return (out, offset) => out.set(new Uint8Array(view.buffer, offset, out.length));
}
