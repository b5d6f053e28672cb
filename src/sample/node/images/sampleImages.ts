import { crc32, deflateSync } from 'node:zlib';
import { bloodSmear, type ColorSamples, twoStains } from './colorImage';
import {
  beads,
  dimAndBlurredNuclei,
  emptyField,
  type GraySamples,
  nuclei,
  touchingNuclei,
  unevenLight,
} from './fluorescence';

/** An image for new users to try; its file is drawn on each call of `bytes`. */
interface SampleImage {
  name: string;
  bytes: () => Uint8Array;
}

/** Drawn by the sample service itself, the same on every machine, in the order new users should try them. */
export function sampleImages(): readonly SampleImage[] {
  return [
    { name: 'nuclei.png', bytes: () => grayPng(nuclei()) },
    { name: 'nuclei-touching.png', bytes: () => grayPng(touchingNuclei()) },
    { name: 'nuclei-uneven-light.png', bytes: () => grayPng(unevenLight()) },
    { name: 'nuclei-dim-16-bit.tif', bytes: () => wideTiff(dimAndBlurredNuclei()) },
    { name: 'cells-two-stains.png', bytes: () => colorPng(twoStains()) },
    { name: 'blood-smear.png', bytes: () => colorPng(bloodSmear()) },
    { name: 'beads-two-sizes.png', bytes: () => grayPng(beads()) },
    { name: 'empty-field.png', bytes: () => grayPng(emptyField()) },
  ];
}

function grayPng({ width, height, samples }: GraySamples): Uint8Array {
  return pngFile(Uint8Array.from(samples), width, height, 1);
}

function colorPng({ width, height, samples }: ColorSamples): Uint8Array {
  return pngFile(samples, width, height, 3);
}

function wideTiff({ width, height, samples }: GraySamples): Uint8Array {
  return grayTiff(Uint16Array.from(samples), width, height);
}

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

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Noise doesn't become smaller by more effort. */
const EFFORT = { level: 3 };

/**
 * A PNG file of 8 bits per channel, gray or RGB, without filters. By Node's own zlib: compressing took half of the
 * time in which the sample images are made.
 */
function pngFile(samples: Uint8Array, width: number, height: number, channels: 1 | 3): Uint8Array {
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
