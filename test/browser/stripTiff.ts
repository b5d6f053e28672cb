/**
 * A classic TIFF of 8-bit gray, `side` × `side`, all of whose strips are the same bytes of the
 * file: small on disk, and as slow to read as any image of that size without a pyramid.
 */
export function stripTiff(side: number, rowsPerStrip = 64): Uint8Array {
  const strips = Math.ceil(side / rowsPerStrip);
  const stripBytes = side * rowsPerStrip;
  const entries: [tag: number, type: 3 | 4, count: number, value: number][] = [
    [256, 4, 1, side],
    [257, 4, 1, side],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, strips, 0],
    [277, 3, 1, 1],
    [278, 4, 1, rowsPerStrip],
    [279, 4, strips, 0],
  ];
  const offsets = 8 + 2 + entries.length * 12 + 4;
  const counts = offsets + 4 * strips;
  const data = counts + 4 * strips;
  const file = new Uint8Array(data + stripBytes);
  const view = new DataView(file.buffer);
  file.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  entries.forEach(([tag, type, count, value], at) => {
    const place = 10 + at * 12;
    view.setUint16(place, tag, true);
    view.setUint16(place + 2, type, true);
    view.setUint32(place + 4, count, true);
    view.setUint32(place + 8, tag === 273 ? offsets : tag === 279 ? counts : value, true);
  });
  for (let strip = 0; strip < strips; strip++) {
    view.setUint32(offsets + 4 * strip, data, true);
    const rows = Math.min(rowsPerStrip, side - strip * rowsPerStrip);
    view.setUint32(counts + 4 * strip, side * rows, true);
  }
  for (let i = 0; i < stripBytes; i++) file[data + i] = (i * 7) & 255;
  return file;
}
