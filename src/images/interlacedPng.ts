import { unzlibSync, zlibSync } from 'fflate';
import { imageData, withImageData } from './pngChunks';
import { damagedData } from './unreadableRaster';

/*
 * Interlaced PNG of 1, 2 or 4 bits, which the library can't read: seven small images, one after the other, whose pixels lie
 * on coarser grids (Adam7). One channel: only gray and palettes may have so few bits.
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

/** The same image without interlacing, as a PNG file whose changed chunks have no valid CRC. */
export function withoutInterlacing(png: Uint8Array): Uint8Array {
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

/** Undoes the filter of a row of bytes in place: each was stored as its difference to a prediction. */
function undoFilter(filter: number, line: Uint8Array, above: Uint8Array): void {
  if (filter > 4) throw damagedData('PNG');
  for (let i = 0; i < line.length; i++) {
    const left = line[i - 1] ?? 0;
    const up = above[i] ?? 0;
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, above[i - 1] ?? 0)][filter] ?? 0;
    line[i] = (line[i] ?? 0) + predicted;
  }
}

/** The neighbor that is nearest to left + up − corner; in case of a tie the first of them. */
function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
