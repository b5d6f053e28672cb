import { JpegCodec, withoutAlpha } from './jpegCodec';
import { hasPartialScans, readJpegHeader, type JpegHeader } from './jpegHeader';
import { scansIn } from './jpegScans';
import { plainJpeg, withEnd } from './jpegStream';
import { orientationNote } from './exifOrientation';
import { reason } from '../base/reasons';
import { checkRasterSize, type Raster } from './raster';
import { unreadableRaster } from './unreadableRaster';

/** Frames that the codec can read: baseline, extended and progressive, Huffman or arithmetic coded. */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];

/** Those whose scans can be told to be all. */
const HUFFMAN_FRAMES = [0xc0, 0xc1, 0xc2];

/** Bytes that decoding may take. */
const MAX_BYTES = 1e9;

/** Decodes a JPEG file of 8-bit gray or color, without applying its EXIF rotation. */
export async function decodeJpeg(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const header = readJpegHeader(bytes);
  if (!header) throw unreadableRaster(fileName, reason('header-cut-off'));
  const { width, height, components } = header;
  if (!READABLE_FRAMES.includes(header.frame)) {
    throw unreadableRaster(
      fileName,
      header.frame === 0xc3 ? reason('lossless-jpeg') : reason('unsupported-jpeg'),
    );
  }
  if (header.precision !== 8) throw unreadableRaster(fileName, reason('jpeg-bits', header.precision));
  if (components !== 1 && components !== 3) {
    throw unreadableRaster(
      fileName,
      components === 4 ? reason('cmyk-jpeg') : reason('jpeg-channels', components),
    );
  }
  // The codec delivers as many samples for a gray pixel as for a color one.
  checkRasterSize(fileName, width, height, Math.max(3, components), maxSamples);
  const maxPixels = MAX_BYTES / bytesPerPixel(bytes, header);
  checkRasterSize(fileName, width, height, components, maxPixels * components);
  const damaged = reason('damaged-data', 'JPEG');
  const stream = plainJpeg(bytes);
  // Without its end marker, a file that lacks no scan may still have all samples: then the codec has nothing to say.
  const scans = scansIn(stream.bytes);
  if (scans === 'whole-channel-missing' || (!stream.ended && scans !== 'all'))
    throw unreadableRaster(fileName, damaged);
  const image = await new JpegCodec().decode(withEnd(stream));
  if ('failed' in image) throw unreadableRaster(fileName, damaged, image.cause);
  if (image.width !== width || image.height !== height) throw unreadableRaster(fileName, damaged);
  // The codec fills missing parts with gray, which must not look like data.
  const cutOff = stream.ended
    ? image.messages.some(message => /premature end/i.test(message))
    : image.messages.length > 0;
  if (cutOff) throw unreadableRaster(fileName, damaged);
  const isCorrupt = image.messages.some(message => /^Corrupt|^Inconsistent/.test(message));
  const lacksScans = HUFFMAN_FRAMES.includes(header.frame) && scans !== 'all';
  const partly = stream.skipped > 0 || lacksScans || isCorrupt;
  return {
    width,
    height,
    channels: components,
    bitsPerSample: 8,
    samples: withoutAlpha(image.rgba, width * height, components),
    photometric: components === 1 ? 'black-is-zero' : 'rgb',
    notes: [
      ...orientationNote(header.orientation),
      ...(!stream.ended ? [reason('jpeg-end-missing')] : []),
      ...(partly ? [reason('jpeg-partly-damaged')] : []),
    ],
  };
}

/** Bytes that decoding takes for a pixel: RGBA in the codec, a copy of it, and the samples; see JpegCodec. */
function bytesPerPixel(bytes: Uint8Array, header: JpegHeader): number {
  const coefficients = hasPartialScans(bytes, header) ? 2 * header.samplesPerPixel : 0;
  return 4 + 4 + header.components + coefficients;
}
