/** Fields of a TIFF directory: SHORT and LONG. */
const SHORT = 3;
const LONG = 4;

/** A baseline TIFF file, little-endian, of one uncompressed gray image of 16 bits in one strip. */
export function grayTiff(samples: Uint16Array, width: number, height: number): Uint8Array {
  const bytes = samples.length * 2;
  const entries: [tag: number, type: number, value: number][] = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, 16], // bits per sample
    [259, SHORT, 1], // no compression
    [262, SHORT, 1], // black is zero
    [273, LONG, 8], // where the strip starts
    [277, SHORT, 1], // samples per pixel
    [278, LONG, height], // rows per strip
    [279, LONG, bytes], // bytes of the strip
  ];
  const directory = 8 + bytes;
  const file = new Uint8Array(directory + 2 + entries.length * 12 + 4);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x4949, true);
  view.setUint16(2, 42, true);
  view.setUint32(4, directory, true);
  samples.forEach((sample, i) => view.setUint16(8 + i * 2, sample, true));
  view.setUint16(directory, entries.length, true);
  entries.forEach(([tag, type, value], i) => {
    const at = directory + 2 + i * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    // A SHORT takes the first two of the four bytes, as little-endian order does anyway.
    view.setUint32(at + 8, value, true);
  });
  return file;
}
