import type { PixelSize } from '../backgroundImageLook';
import { reason, type Reason } from '../../base/reasons';
import { unreadableRaster } from '../unreadableRaster';
import { orientationNote } from '../exifOrientation';
import type { ByteSource } from '../../base/byteSource';
import { readImageJ } from './imageJ';
import { readOmeXml, type OmeImage } from './omeXml';
import { omeSeries, type PlaneNames } from './omeSeries';
import { aperioPixelSize, imageJPixelSize, resolutionPixelSize } from './pixelSize';
import { readDirectories } from './readDirectories';
import { samplesKey } from './tiffImage';
import { gatherPlanes, type TiffPlane } from './tiffLevels';
import type { TiffSeries } from './tiffSeries';
import { Tag } from './tiffTags';

/** Planes that the images of an OME text may name, all together. */
const MAX_PLANE_NAMES = 1_000_000;
/** Images of an ImageJ stack with one directory; with more its description is damaged. */
const MAX_IMAGES = 1_000_000;

export interface TiffLayout {
  planes: TiffPlane[];
  /** One for each kind of page, or each image, in the file; the first is the one to open. */
  series: TiffSeries[];
  notes: Reason[];
}

/** Reads the structure of a TIFF or BigTIFF file: planes, levels, axes, channels, pixel size; no samples. */
export async function readTiffLayout(
  source: ByteSource,
  fileName: string,
  signal?: AbortSignal,
): Promise<TiffLayout> {
  const { directories, complete } = await readDirectories(source, signal);
  const [first] = directories;
  if (!first) throw unreadableRaster(fileName, reason('no-image-in-file'));
  const notes = orientationNote((await first.number(Tag.orientation)) ?? 1);
  if (!complete) notes.push(reason('page-list-damaged'));
  const description = await first.text(Tag.imageDescription);
  const ome = readOmeXml(description);
  const imageJ = readImageJ(description);
  const scanner = /^Aperio/.test(description);
  const stack = ome.length > 0 || imageJ !== undefined;
  const { planes: gathered, leftOut } = await gatherPlanes(directories, { scanner, stack }, signal);
  if (leftOut > 0) notes.push(reason('images-left-out', leftOut));
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
  if (imageJ && imageJ.images > planes.length) notes.push(reason('imagej-first-only', imageJ.images));
  return { ...layout, series: await seriesOfPages(planes, pixelSize) };
}

/**
 * ImageJ writes stacks that pass 4 GB with one directory alone: the other images follow the first one's samples, without
 * compression. Undefined where this is not so.
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

/** Series of an OME-TIFF whose planes are there. */
function fittingSeries(
  images: readonly OmeImage[],
  planes: readonly TiffPlane[],
  fileName: string,
  notes: Reason[],
): TiffSeries[] {
  const series: TiffSeries[] = [];
  const names: PlaneNames = { left: MAX_PLANE_NAMES };
  for (const image of images) {
    const alone = images.length === 1;
    const made = omeSeries(image, planes, fileName, { alone, names });
    if (made) series.push(made);
  }
  const absent = series.reduce((sum, { missing = 0 }) => sum + missing, 0);
  if (absent > 0) notes.push(reason('planes-missing', absent));
  const missing = images.length - series.length;
  if (missing > 0) notes.push(reason('images-missing', missing));
  if (images.length > 1 && series.length > 1) notes.push(reason('one-image-shown', series.length));
  return series;
}

/** Pages without any metadata: those of one size and kind of samples are an axis, each other one is a choice of its own. */
async function seriesOfPages(
  planes: readonly TiffPlane[],
  pixelSize: PixelSize | undefined,
): Promise<TiffSeries[]> {
  const alike = new Map<string, number[]>();
  for (const [index, [level]] of planes.entries()) {
    if (!level) continue;
    const samples = await samplesKey(level.directory).catch(() => 'unreadable');
    const key = `${level.width}×${level.height} ${samples}`;
    const pages = alike.get(key);
    if (pages) pages.push(index);
    else alike.set(key, [index]);
  }
  return [...alike.values()].map(pages => {
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
