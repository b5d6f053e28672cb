/*
 * PNG files that say how large they are (PNG specification, third edition, 11.3.4.3 pHYs): without
 * it, programs place an image of 300 dpi three times as large as the journal's column.
 */

/** Bytes of a PNG's signature and of its first chunk, IHDR: what follows may be pHYs. */
const HEADER = 8 + 25;

/** A PNG with these pixels per meter instead of its own; other bytes as they are. */
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
  const rest = withoutResolution(png.subarray(HEADER));
  const out = new Uint8Array(HEADER + chunk.length + rest.length);
  out.set(png.subarray(0, HEADER));
  out.set(chunk, HEADER);
  out.set(rest, HEADER + chunk.length);
  return out;
}

/** Chunks but one that has a resolution, which browsers seldom write. */
function withoutResolution(chunks: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(chunks.buffer, chunks.byteOffset, chunks.byteLength);
  for (let at = 0; at + 12 <= chunks.length;) {
    const end = at + 12 + view.getUint32(at);
    const type = String.fromCharCode(...chunks.subarray(at + 4, at + 8));
    if (type === 'IDAT' || end > chunks.length) break;
    if (type === 'pHYs') {
      const rest = new Uint8Array(chunks.length - (end - at));
      rest.set(chunks.subarray(0, at));
      rest.set(chunks.subarray(end), at);
      return rest;
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
