import type { ByteSource } from '../byteSource';
import { reason, type Reason, codedReason } from '../../base/reasons';
import type { PixelSize } from '../backgroundImageInfo';
import { orientationNote } from '../exifOrientation';
import { unreadableRaster } from '../raster';
import { type OmeImage, omeSeries, type PlaneReferences, readOmeXml } from './omeSeries';
import { readDirectories, Tag, type TiffDirectory } from './tiffDirectory';
import { samplesKey } from './tiffImage';
import { gatherPlanes, type TiffPlane, type TiffSeries } from './tiffPlanes';

/** Maximum references to planes in all images of an OME text. */
const MAX_PLANE_REFERENCES = 1_000_000;
/** Maximum images of an ImageJ stack with one directory; a damaged description states more. */
const MAX_IMAGES = 1_000_000;

export interface TiffLayout {
  planes: TiffPlane[];
  /** One series for each image or each kind of page in the file; the first is opened. */
  series: TiffSeries[];
  notes: Reason[];
}

/** Reads planes, levels, axes, channels and pixel size of a TIFF or BigTIFF file, not samples. */
export async function readTiffLayout(
  source: ByteSource,
  fileName: string,
  signal?: AbortSignal,
): Promise<TiffLayout> {
  const { directories, notes: listNotes } = await readDirectories(source, signal);
  const [first] = directories;
  if (!first) throw unreadableRaster(fileName, reason('The file contains no image'));
  const notes = orientationNote((await first.number(Tag.orientation)) ?? 1);
  notes.push(...listNotes);
  const description = await first.text(Tag.imageDescription);
  const ome = readOmeXml(description);
  const imageJ = readImageJ(description);
  const scanner = /^Aperio/.test(description);
  const stack = ome.length > 0 || imageJ !== undefined;
  const { planes: gathered, omittedCount } = await gatherPlanes(directories, { scanner, stack }, signal);
  if (omittedCount > 0)
    notes.push(reason('Images not shown, such as labels and thumbnails: {0}', omittedCount));
  const planes = (await imageJPlanes(gathered, imageJ?.images ?? 1, source.size)) ?? gathered;
  const layout = { planes, notes };
  if (ome.length > 0) {
    const series = fittingSeries(ome, planes, fileName, notes);
    if (series.length > 0) return { ...layout, series };
  }
  const pixelSize =
    (scanner ? aperioPixelSize(description) : undefined) ??
    (imageJ ? await imageJPixelSize(first, imageJ.unit) : await resolutionPixelSize(first));
  if (imageJ && imageJ.channels * imageJ.slices * imageJ.frames === planes.length) {
    const { channels, slices, frames } = imageJ;
    const [{ width, height } = { width: 0, height: 0 }] = planes[0] ?? [];
    const place: TiffSeries['place'] = ({ z, t }, channel) =>
      channels > 1
        ? { plane: (t * slices + z) * channels + channel, sample: 0 }
        : { plane: t * slices + z, sample: channel };
    const series: TiffSeries = {
      width,
      height,
      page: 0,
      axes: { page: 1, z: slices, t: frames },
      ...(channels > 1 && { channels: Array.from({ length: channels }, () => ({})) }),
      place,
      ...(pixelSize && { pixelSize }),
    };
    return { ...layout, series: [series] };
  }
  if (imageJ && imageJ.images > planes.length)
    notes.push(
      planes.length === 1
        ? reason('The file lists {0} images; only the first of them can be located', imageJ.images)
        : reason(
            "Planes in the metadata that this file doesn't have: {0}. Sets of several files aren't read",
            imageJ.images - planes.length,
          ),
    );
  const pages = await seriesOfPages(planes, pixelSize);
  const magnification = Number((scanner && /\bAppMag\s*=\s*([\d.]+)/.exec(description)?.[1]) || NaN);
  if (pages[0] && magnification > 0 && magnification < 10_000) pages[0].magnification = magnification;
  return { ...layout, series: pages };
}

/**
 * Planes of an ImageJ stack over 4 GB, which has a single directory: the samples of its other
 * images follow those of the first, uncompressed. Undefined for other files.
 */
async function imageJPlanes(
  planes: readonly TiffPlane[],
  images: number,
  fileSize: number,
): Promise<TiffPlane[] | undefined> {
  const level = planes[0]?.[0];
  if (!level || planes.length > 1 || images <= 1) return undefined;
  const { directory, width, height } = level;
  if (((await directory.number(Tag.compression)) ?? 1) !== 1) return undefined;
  const offset = (await directory.number(Tag.stripOffsets)) ?? fileSize;
  const stored = (await directory.number(Tag.samplesPerPixel)) ?? 1;
  const bytes = (width * height * stored * ((await directory.number(Tag.bitsPerSample)) ?? 8)) / 8;
  if (!Number.isInteger(bytes) || bytes === 0 || images > MAX_IMAGES) return undefined;
  if (offset + bytes * images > fileSize) return undefined;
  return Array.from({ length: images }, (_, at) => [{ ...level, shift: at * bytes }]);
}

/** Series of the OME images that have planes in this file. */
function fittingSeries(
  images: readonly OmeImage[],
  planes: readonly TiffPlane[],
  fileName: string,
  notes: Reason[],
): TiffSeries[] {
  const series: TiffSeries[] = [];
  const references: PlaneReferences = { left: MAX_PLANE_REFERENCES };
  for (const image of images) {
    const isOnlyImage = images.length === 1;
    const imageSeries = omeSeries(image, planes, fileName, { isOnlyImage, references });
    if (imageSeries) series.push(imageSeries);
  }
  const missingPlanes = series.reduce((sum, { missing = 0 }) => sum + missing, 0);
  if (missingPlanes > 0)
    notes.push(
      reason(
        "Planes in the metadata that this file doesn't have: {0}. Sets of several files aren't read",
        missingPlanes,
      ),
    );
  const missingImages = images.length - series.length;
  if (missingImages > 0)
    notes.push(reason("Images in the metadata that this file doesn't have: {0}", missingImages));
  if (images.length > 1 && series.length > 1)
    notes.push(
      codedReason('one-image-shown', 'The file has {0} images; one of them is shown', series.length),
    );
  return series;
}

/** Series of pages without metadata: pages of equal size and sample format are one series. */
async function seriesOfPages(
  planes: readonly TiffPlane[],
  pixelSize: PixelSize | undefined,
): Promise<TiffSeries[]> {
  const pagesByFormat = new Map<string, number[]>();
  for (const [index, [level]] of planes.entries()) {
    if (!level) continue;
    const samples = await samplesKey(level.directory).catch(() => 'unreadable');
    const key = `${level.width}×${level.height} ${samples}`;
    const pages = pagesByFormat.get(key);
    if (pages) pages.push(index);
    else pagesByFormat.set(key, [index]);
  }
  return [...pagesByFormat.values()].map(pages => {
    const [page = 0] = pages;
    const level = planes[page]?.[0];
    return {
      width: level?.width ?? 0,
      height: level?.height ?? 0,
      page,
      axes: { page: pages.length, z: 1, t: 1 },
      place: (position, channel) => {
        const plane = pages[position.page];
        return plane === undefined ? undefined : { plane, sample: channel };
      },
      // Only the first page's pixel size is read.
      ...(page === 0 && pixelSize && { pixelSize }),
    };
  });
}

/** ImageJ's description of a stack, on its first page. */
interface ImageJStack {
  images: number;
  channels: number;
  slices: number;
  frames: number;
  unit?: string;
}

/** Reads ImageJ's lines of `key=value`; undefined for other text. */
function readImageJ(description: string): ImageJStack | undefined {
  if (!description.startsWith('ImageJ=')) return undefined;
  const values = new Map<string, string>();
  for (const line of description.split(/\r?\n/)) {
    const equals = line.indexOf('=');
    if (equals > 0) values.set(line.slice(0, equals), line.slice(equals + 1).trim());
  }
  const count = (key: string) => {
    const value = Number(values.get(key) ?? 1);
    return Number.isInteger(value) && value > 0 ? value : 1;
  };
  const unit = values.get('unit');
  const [channels, slices, frames] = [count('channels'), count('slices'), count('frames')];
  return {
    // A plain stack states only its number of images: they are slices.
    images: count('images'),
    channels,
    slices: channels * slices * frames === 1 ? count('images') : slices,
    frames,
    ...(unit !== undefined && { unit }),
  };
}

/** µm per pixel. Larger values are meant for print or screen: 72 and 96 dpi are 353 and 265 µm. */
const MAX_PIXEL_SIZE = 20;
const MIN_PIXEL_SIZE = 0.0005;

const IMAGEJ_UNITS: Readonly<Record<string, number>> = {
  µm: 1,
  μm: 1,
  um: 1,
  micron: 1,
  microns: 1,
  '\\u00B5m': 1,
  '\\u00b5m': 1,
  nm: 1e-3,
  mm: 1e3,
  cm: 1e4,
};

/** Pixel size from the description that Aperio's scanners write: "|MPP = 0.2521". */
function aperioPixelSize(description: string): PixelSize | undefined {
  const mpp = Number(/\bMPP\s*=\s*([\d.eE+-]+)/.exec(description)?.[1] ?? NaN);
  return mpp > MIN_PIXEL_SIZE && mpp < 1000 ? { x: mpp, y: mpp, from: 'aperio' } : undefined;
}

/** Pixel size of ImageJ files: their resolution tags are pixels per ImageJ's unit. */
async function imageJPixelSize(
  directory: TiffDirectory,
  unit: string | undefined,
): Promise<PixelSize | undefined> {
  const micrometers = unit === undefined ? undefined : IMAGEJ_UNITS[unit];
  if (micrometers === undefined) return undefined;
  return perPixel(directory, micrometers, 'imagej', 1000);
}

/** Pixel size from resolution tags in inches or centimeters, if plausible for a microscope. */
async function resolutionPixelSize(directory: TiffDirectory): Promise<PixelSize | undefined> {
  const unit = (await directory.number(Tag.resolutionUnit)) ?? 2;
  const micrometers = unit === 2 ? 25_400 : unit === 3 ? 10_000 : undefined;
  return micrometers === undefined
    ? undefined
    : perPixel(directory, micrometers, 'resolution', MAX_PIXEL_SIZE);
}

/** Pixel size from the resolution tags of a scanner, which are reliable. */
export function scannerPixelSize(
  directory: TiffDirectory,
  unit: number,
  from: PixelSize['from'],
): Promise<PixelSize | undefined> {
  const micrometers = unit === 2 ? 25_400 : unit === 3 ? 10_000 : undefined;
  if (micrometers === undefined) return Promise.resolve(undefined);
  return perPixel(directory, micrometers, from, 1000);
}

async function perPixel(
  directory: TiffDirectory,
  unit: number,
  from: PixelSize['from'],
  largest: number,
): Promise<PixelSize | undefined> {
  const x = unit / ((await directory.number(Tag.xResolution)) ?? NaN);
  const y = unit / ((await directory.number(Tag.yResolution)) ?? NaN);
  const plausible = (size: number) => size >= MIN_PIXEL_SIZE && size <= largest;
  return plausible(x) && plausible(y) ? { x, y, from } : undefined;
}
