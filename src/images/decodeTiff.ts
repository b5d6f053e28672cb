import { memorySource } from './byteSource';
import { reason, type Reason } from '../base/reasons';
import { checkRasterSize, type Raster, type Samples, unreadableRaster } from './raster';
import { portableCodecs, readBlock, readWindow, type TiffBlock } from './tiff/tiffBlock';
import { Photometric } from './tiff/tiffDirectory';
import { readTiffImage, type TiffImage } from './tiff/tiffImage';
import { readTiffLayout, type TiffLayout } from './tiff/tiffLayout';
import type { TiffSeries } from './tiff/tiffPlanes';

/**
 * Decodes the image of a TIFF or BigTIFF file that a viewer shows first. In OME and ImageJ files it
 * has all channels at the first focus and time, except those stored in other files. If all are in
 * other files, it is the first plane of this file.
 */
export async function decodeTiff(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const layout = await readTiffLayout(memorySource(bytes), fileName);
  const [series] = layout.series;
  const images = series ? await firstImages(layout, series, fileName, maxSamples) : [];
  const [first] = images;
  if (!series || !first) throw unreadableRaster(fileName, reason('The file contains no image'));
  const { width, height, alpha } = first;
  const channelsPerImage = series.channels ? 1 : first.channels;
  const channels = images.length * channelsPerImage;
  checkRasterSize(fileName, width, height, Math.max(channels, first.stored), maxSamples);
  const samples: Samples[] = [];
  for (const image of images) {
    const sampleIndexes = Array.from({ length: channelsPerImage }, (_, sample) => sample);
    samples.push(
      ...(await readWindow(image, sampleIndexes, { x: 0, y: 0, width, height }, lastBlocks(image))),
    );
  }
  const pages = layout.planes.length;
  const notes = [
    ...(pages > images.length ? [reason('The file has {0} pages; only the first is read', pages)] : []),
    ...layout.notes,
  ];
  const photometric = photometricName(first);
  return {
    width,
    height,
    channels,
    ...inRasterTypes(interleave(samples, width * height), first, notes),
    photometric: series.channels && photometric === 'rgb' ? 'other' : photometric,
    ...(!series.channels && alpha !== undefined && { alpha }),
    notes,
  };
}

/** Images of a series at the first position of its axes: one per channel, or one with all. */
async function firstImages(
  { planes }: TiffLayout,
  series: TiffSeries,
  fileName: string,
  maxSamples: number,
): Promise<TiffImage[]> {
  const images: TiffImage[] = [];
  const channels = Array.from({ length: series.channels?.length ?? 1 }, (_, channel) => channel);
  const firstPlanes = channels.flatMap(
    channel => series.place({ page: 0, z: 0, t: 0 }, channel)?.plane ?? [],
  );
  for (const plane of firstPlanes.length > 0 ? firstPlanes : [series.page]) {
    const level = planes[plane]?.[0];
    if (!level) continue;
    const { directory, shift } = level;
    const image = await readTiffImage(directory, fileName, { maxBlockSamples: maxSamples });
    const { width, height, bits, kind } = images[0] ?? image;
    if (image.width !== width || image.height !== height)
      throw unreadableRaster(fileName, reason('Plane {0} has a different size than the first', plane));
    if (image.bits !== bits || image.kind !== kind)
      throw unreadableRaster(fileName, reason('Plane {0} has different channels than the first', plane));
    images.push(shift === undefined ? image : { ...image, shift });
  }
  return images;
}

/** The meaning of a TIFF image's samples, after other color spaces are converted to RGB. */
export function photometricName({ photometric }: TiffImage): Raster['photometric'] {
  switch (photometric) {
    case Photometric.whiteIsZero:
      return 'white-is-zero';
    case Photometric.blackIsZero:
      return 'black-is-zero';
    case Photometric.rgb:
    case Photometric.palette:
    case Photometric.ycbcr:
    case Photometric.cmyk:
    case Photometric.cielab:
    case Photometric.icclab:
      return 'rgb';
    default:
      return 'other';
  }
}

/** Notes on conversions of an image's samples. */
export function conversionNotes({ photometric, otherRange }: TiffImage): Reason[] {
  const notes: Reason[] = [];
  if (photometric === Photometric.cmyk) notes.push(reason('{0} colors were converted to RGB', 'CMYK'));
  if (photometric === Photometric.cielab)
    notes.push(reason('{0} colors were converted to RGB', 'CIE L*a*b*'));
  if (photometric === Photometric.icclab)
    notes.push(reason('{0} colors were converted to RGB', 'ICC L*a*b*'));
  if (otherRange)
    notes.push(
      reason("The file says which samples are black and white (ReferenceBlackWhite); this isn't applied"),
    );
  return notes;
}

/** Reads blocks and caches the last one, because its channels are requested one by one. */
function lastBlocks(image: TiffImage): (x: number, y: number, plane: number) => Promise<TiffBlock> {
  const codecs = portableCodecs();
  let last: { key: string; block: Promise<TiffBlock> } | undefined;
  return (x, y, plane) => {
    const key = `${x}/${y}/${plane}`;
    if (last?.key !== key) last = { key, block: readBlock(image, { x, y, plane }, codecs) };
    return last.block;
  };
}

function interleave(planes: readonly Samples[], pixels: number): Samples {
  const [first] = planes;
  if (!first || planes.length === 1) return first ?? new Uint8Array(0);
  const Type = first.constructor as new (length: number) => Samples;
  const samples = new Type(pixels * planes.length);
  for (const [channel, plane] of planes.entries())
    for (let i = 0, to = channel; i < pixels; i++, to += planes.length) samples[to] = plane[i] ?? 0;
  return samples;
}

/** Converts samples to a type that Raster allows: signed integers and doubles become floats. */
function inRasterTypes(
  samples: Samples,
  image: TiffImage,
  notes: Reason[],
): Pick<Raster, 'samples' | 'bitsPerSample'> {
  notes.push(...conversionNotes(image));
  if (samples instanceof Uint8Array || samples instanceof Uint16Array)
    return { samples, bitsPerSample: image.deliveredBits };
  if (samples instanceof Uint32Array || samples instanceof Float32Array)
    return { samples, bitsPerSample: 32 };
  const exact = samples.BYTES_PER_ELEMENT <= 2;
  notes.push(
    exact
      ? reason('Signed samples were converted to floating point')
      : reason('Samples were converted to single precision'),
  );
  return { samples: Float32Array.from(samples), bitsPerSample: 32 };
}
