import { memorySource } from './byteSource';
import { checkRasterSize, unreadableRaster, type Raster, type Samples } from './raster';
import { readBlock, type TiffBlock } from './tiff/tiffBlock';
import { readTiffImage, type TiffImage } from './tiff/tiffImage';
import { readTiffLayout } from './tiff/tiffLayout';
import { Photometric } from './tiff/tiffTags';
import { readWindow } from './tiff/tiffWindow';

/** Decodes the first picture of a TIFF or BigTIFF file, whole. */
export async function decodeTiff(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const layout = await readTiffLayout(memorySource(bytes), fileName);
  const [first] = layout.planes[0] ?? [];
  if (!first) throw unreadableRaster(fileName, 'it has no picture');
  const image = await readTiffImage(first.directory, fileName, maxSamples);
  const { width, height, channels, alpha } = image;
  checkRasterSize(fileName, width, height, Math.max(channels, image.stored), maxSamples);
  const pages = layout.planes.length;
  const notes = [
    ...(pages > 1 ? [`The file holds ${pages} pages; only the first is read.`] : []),
    ...layout.notes,
  ];
  const planes = await readWindow(
    image,
    Array.from({ length: channels }, (_, channel) => channel),
    { x: 0, y: 0, width, height },
    lastBlocks(image),
  );
  return {
    width,
    height,
    channels,
    ...inRasterTypes(interleave(planes, width * height), image, notes),
    photometric: photometricName(image),
    ...(alpha !== undefined && { alpha }),
    notes,
  };
}

/** What the samples of a TIFF picture mean, once other colour spaces were turned into RGB. */
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
      return 'rgb';
    default:
      return 'other';
  }
}

/** What was done to the samples of a picture that a viewer should know. */
export function conversionNotes({ bits, photometric }: TiffImage): string[] {
  const notes: string[] = [];
  if (bits < 8 && photometric !== Photometric.palette)
    notes.push(`Samples of ${bits} bits were spread to 0…255.`);
  if (photometric === Photometric.cmyk) notes.push('CMYK colours were turned into RGB.');
  if (photometric === Photometric.cielab) notes.push('CIE L*a*b* colours were turned into RGB.');
  return notes;
}

/** Reads blocks, and keeps the one read last: the channels of a block are asked for one after the other. */
function lastBlocks(image: TiffImage): (x: number, y: number, plane: number) => Promise<TiffBlock> {
  let last: { key: string; block: Promise<TiffBlock> } | undefined;
  return (x, y, plane) => {
    const key = `${x}/${y}/${plane}`;
    if (last?.key !== key) last = { key, block: readBlock(image, x, y, plane) };
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

/** The samples in one of the raster's types. Signed and double numbers become floats, which is noted. */
function inRasterTypes(
  samples: Samples,
  image: TiffImage,
  notes: string[],
): Pick<Raster, 'samples' | 'bitsPerSample'> {
  notes.push(...conversionNotes(image));
  if (samples instanceof Uint8Array) return { samples, bitsPerSample: 8 };
  if (samples instanceof Uint16Array) return { samples, bitsPerSample: 16 };
  if (samples instanceof Uint32Array || samples instanceof Float32Array)
    return { samples, bitsPerSample: 32 };
  const exact = samples.BYTES_PER_ELEMENT <= 2;
  notes.push(
    exact ? 'Signed samples were read as floats.' : 'Samples were read as floats of single precision.',
  );
  return { samples: Float32Array.from(samples), bitsPerSample: 32 };
}
