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
  /** Samples that are stored for a pixel: fewer than components where a channel is subsampled. */
  samplesPerPixel: number;
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
        samplesPerPixel: samplesPerPixel(bytes.subarray(start + 5)),
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
function samplesPerPixel(components: Uint8Array): number {
  const factors = Array.from({ length: components[0] ?? 0 }, (_, i) => components[2 + i * 3] ?? 0x11);
  const across = Math.max(1, ...factors.map(factor => factor >> 4));
  const down = Math.max(1, ...factors.map(factor => factor & 15));
  return factors.reduce((sum, factor) => sum + ((factor >> 4) * (factor & 15)) / (across * down), 0);
}

/** Whether a decoder has to keep all coefficients until the last scan: scans have some of them, or of the channels. */
export function hasPartialScans(bytes: Uint8Array, { frame, frameAt, components }: JpegHeader): boolean {
  if (frame === 0xc2 || frame === 0xca) return true;
  for (let at = frameAt; at + 4 < bytes.length; at = nextMarker(bytes, at)) {
    if (bytes[at + 1] === 0xda) return (bytes[at + 4] ?? 0) < components;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return false;
}
