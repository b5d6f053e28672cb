import { exifOrientation } from './exifOrientation';
import { nextMarker } from './jpegStream';

export interface JpegHeader {
  width: number;
  height: number;
  /** Bits per sample; all common files have 8. */
  precision: number;
  components: number;
  /** The frame's marker byte: 0xC0 baseline, 0xC2 progressive, 0xC3 lossless, … */
  frame: number;
  /** Where the frame's marker is. */
  frameAt: number;
  /** Whether a channel has fewer samples than another. */
  subsampled: boolean;
  orientation: number;
}

/** Reads the frame header and the EXIF orientation of a JPEG file; undefined when it ends before its frame. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  let offset = 2;
  for (;;) {
    offset = nextMarker(bytes, offset);
    if (offset + 4 > bytes.length) return undefined;
    const marker = bytes[offset + 1] ?? 0;
    // Markers without a segment.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      offset += 2;
      continue;
    }
    const length = view.getUint16(offset + 2);
    const start = offset + 4;
    // C4, C8 and CC are tables, not frames.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      if (start + 6 > bytes.length) return undefined;
      return {
        precision: view.getUint8(start),
        height: view.getUint16(start + 1),
        width: view.getUint16(start + 3),
        components: view.getUint8(start + 5),
        frame: marker,
        frameAt: offset,
        subsampled: isSubsampled(bytes.subarray(start + 5)),
        orientation,
      };
    }
    if (marker === 0xda || marker === 0xd9) return undefined;
    if (marker === 0xe1 && start + 6 <= bytes.length && view.getUint32(start) === 0x45786966) {
      // "Exif", two zeros, then the block.
      orientation = exifOrientation(bytes.subarray(start + 6, Math.min(offset + 2 + length, bytes.length)));
    }
    offset += 2 + Math.max(2, length);
  }
}

/** Of a frame's components, three bytes each behind their number: the second has the sampling factors. */
function isSubsampled(components: Uint8Array): boolean {
  const count = components[0] ?? 0;
  for (let i = 1; i < count; i++) if (components[2 + i * 3] !== components[2]) return true;
  return false;
}
