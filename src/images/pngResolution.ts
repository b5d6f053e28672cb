/*
 * Writes the resolution of PNG files (PNG specification, third edition, 11.3.4.3 pHYs). Without it,
 * programs place an image of 300 dpi three times as large as the journal's column.
 */

/** Bytes of a PNG's signature and its first chunk, IHDR; pHYs may follow. */
const HEADER = 8 + 25;

/** Sets the pixels per meter of a PNG. Returns other files unchanged. */
export function pngWithResolution(
  png: Uint8Array<ArrayBuffer>,
  pixelsPerMeter: number,
): Uint8Array<ArrayBuffer> {
  if (png.length < HEADER || png[0] !== 0x89 || png[1] !== 0x50) return png;
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode('pHYs'), 4);
  view.setUint32(8, pixelsPerMeter);
  view.setUint32(12, pixelsPerMeter);
  // The unit is the meter.
  view.setUint8(16, 1);
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  const chunks = withoutResolution(png.subarray(HEADER));
  const out = new Uint8Array(HEADER + chunk.length + chunks.length);
  out.set(png.subarray(0, HEADER));
  out.set(chunk, HEADER);
  out.set(chunks, HEADER + chunk.length);
  return out;
}

/** Removes the chunk with the resolution, if any. */
function withoutResolution(chunks: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(chunks.buffer, chunks.byteOffset, chunks.byteLength);
  for (let at = 0; at + 12 <= chunks.length;) {
    const end = at + 12 + view.getUint32(at);
    const type = String.fromCharCode(...chunks.subarray(at + 4, at + 8));
    if (type === 'IDAT' || end > chunks.length) break;
    if (type === 'pHYs') {
      const remaining = new Uint8Array(chunks.length - (end - at));
      remaining.set(chunks.subarray(0, at));
      remaining.set(chunks.subarray(end), at);
      return remaining;
    }
    at = end;
  }
  return chunks;
}

/** The checksum of a chunk (ISO 3309, polynomial 0xEDB88320). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
