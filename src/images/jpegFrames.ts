import { endOfScan } from './jpegStream';

/**
 * Number of frames in a JPEG stream whose segments are exactly as long as what they hold; undefined for any other. Decoders
 * go by the contents and allocate for every frame they meet: nothing must be hidden from this count.
 */
export function jpegFrames(bytes: Uint8Array): number | undefined {
  let frames = 0;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xd9) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (contentLength(marker, bytes.subarray(at + 4), length) !== length) return undefined;
    if (marker >= 0xc0 && marker <= 0xc2) frames++;
    at += 2 + length;
    if (marker === 0xda) at = endOfScan(bytes, at);
  }
  return frames;
}

/** What the length of a segment must be by its contents, which begin behind it. */
function contentLength(marker: number, content: Uint8Array, stated: number): number {
  const byte = (at: number) => content[at] ?? 0;
  // Frames: components @5, three bytes each. Scans: components @0, two bytes each, and three more.
  if (marker >= 0xc0 && marker <= 0xc2) return 8 + 3 * byte(5);
  if (marker === 0xda) return 6 + 2 * byte(0);
  if (marker === 0xdd) return 4;
  // Texts and what applications add are jumped over.
  if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) return Math.max(2, stated);
  if (marker !== 0xc4 && marker !== 0xdb) return NaN;
  let length = 2;
  while (length < stated) {
    const at = length - 2;
    if (marker === 0xdb) length += byte(at) >> 4 === 0 ? 65 : 129;
    // A Huffman table: how many codes there are of each of 16 lengths, then a byte for each code.
    else length += 17 + content.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
  }
  return length;
}
