import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Noise doesn't become smaller by more effort. */
const EFFORT = { level: 3 };

/**
 * A PNG file of 8 bits per channel, gray or RGB, without filters. By Node's own zlib: compressing took half of the
 * time in which the sample images are made.
 */
export function pngFile(samples: Uint8Array, width: number, height: number, channels: 1 | 3): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits per channel
  header[9] = channels === 1 ? 0 : 2; // gray, or RGB
  const bytesPerRow = width * channels;
  // Each row begins with its filter: 0, none.
  const rows = new Uint8Array((bytesPerRow + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(samples.subarray(y * bytesPerRow, (y + 1) * bytesPerRow), y * (bytesPerRow + 1) + 1);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, EFFORT)),
    chunk('IEND', new Uint8Array()),
  ];
  return new Uint8Array(Buffer.concat([Uint8Array.from(SIGNATURE), ...chunks]));
}

/** A length, a type, content, and a checksum of the type and the content. */
function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}
