import { Unzlib } from 'fflate';

/** Chunks that the samples depend on; others may hold texts or profiles that inflate to anything. */
const NEEDED: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Compressed bytes that are inflated at a time: one may become a thousand. */
const STEP = 16 * 1024;

/** One chunk of a PNG file: length 4 bytes, type 4, data, CRC 4. */
interface PngChunk {
  type: string;
  /** Offset of its length field, and of the byte after its CRC. */
  start: number;
  end: number;
}

function* chunksOf(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 8; start + 12 <= bytes.length;) {
    const end = start + 12 + view.getUint32(start);
    yield { type: String.fromCharCode(...bytes.subarray(start + 4, start + 8)), start, end };
    start = end;
  }
}

/** The file with only the chunks that its samples depend on, in their order. Throws RangeError where one is cut off. */
export function neededChunks(bytes: Uint8Array): Uint8Array {
  const parts = [{ start: 0, end: 8 }];
  let length = 8;
  for (const { type, start, end } of chunksOf(bytes)) {
    if (!NEEDED.has(type)) continue;
    if (end > bytes.length) throw new RangeError(`bytes ${start} to ${end} of ${bytes.length}`);
    const last = parts.at(-1);
    if (last?.end === start) last.end = end;
    else parts.push({ start, end });
    length += end - start;
  }
  const needed = new Uint8Array(length);
  let at = 0;
  for (const { start, end } of parts) {
    const part = bytes.subarray(start, end);
    needed.set(part, at);
    at += part.length;
  }
  return needed;
}

/**
 * Whether the image data inflate to no more than `most` bytes. They are counted, not kept: the decoder would gather all of
 * them whatever the header says.
 */
export function inflatesWithin(bytes: Uint8Array, most: number): boolean {
  let count = 0;
  const inflator = new Unzlib(chunk => {
    count += chunk.length;
  });
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type !== 'IDAT') continue;
    const last = Math.min(end - 4, bytes.length);
    for (let at = start + 8; at < last; at += STEP) {
      inflator.push(bytes.subarray(at, Math.min(last, at + STEP)));
      if (count > most) return false;
    }
  }
  return true;
}
