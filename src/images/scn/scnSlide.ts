import { throwIfCanceled } from '../../base/errors';
import { reason, type Reason, codedReason } from '../../base/reasons';
import type { PixelSize } from '../backgroundImageInfo';
import { orientationNote } from '../exifOrientation';
import type { ImageFormat } from '../imageSource';
import { namingFile, unreadableRaster } from '../raster';
import { readDirectories, Tag, type TiffDirectory } from '../tiff/tiffDirectory';
import type { TiffLayout } from '../tiff/tiffLayout';
import type { TiffPlane, TiffSeries } from '../tiff/tiffPlanes';
import { TiffSource } from '../tiff/tiffSource';
import { tagsOf, wholeNumber } from '../xmlTags';

/*
 * Leica's slides: BigTIFF files whose first description is XML. It lists images with their position
 * on the glass. The levels, focal planes and channels of each image refer to directories by number.
 * The image of the whole glass is a photo; other images are scanned areas. Source of the layout:
 * the OpenSlide project.
 */

/** Maximum number of images in the XML, and of an image's focal planes or channels. */
const MAX_IMAGES = 1000;
const MAX_PLANES = 4096;

export const scnFormat: ImageFormat = {
  open: (file, signal) =>
    namingFile(file.fileName, async () => {
      const { directories, notes } = await readDirectories(file.file, signal);
      const [first] = directories;
      notes.push(...orientationNote((await first?.number(Tag.orientation)) ?? 1));
      const text = (await first?.text(Tag.imageDescription)) ?? '';
      const layout = await layoutOf(directories, readScnXml(text), notes, signal);
      if (layout.series.length === 0)
        throw unreadableRaster(file.fileName, reason('The file contains no image'));
      return TiffSource.open({ ...file, layout }, signal);
    }),
};

interface ScnDimension {
  width: number;
  height: number;
  /** Number of the directory that holds this dimension. */
  directory: number;
  z: number;
  channel: number;
}

interface ScnImage {
  /** Position and size on the glass, in nm. */
  view: { x: number; y: number; width: number; height: number };
  isMacro: boolean;
  magnification?: number;
  dimensions: ScnDimension[];
  channels: Map<number, { name?: string; color?: [number, number, number] }>;
}

/** The images that the XML lists. */
function readScnXml(text: string): ScnImage[] {
  const images: ScnImage[] = [];
  let slide = { width: NaN, height: NaN };
  let image: ScnImage | undefined;
  for (const { name, attributes, content } of tagsOf(text)) {
    const number = (key: string) => Number(attributes.get(key) ?? NaN);
    if (name === 'collection') {
      slide = { width: number('sizeX'), height: number('sizeY') };
    } else if (name === 'image') {
      if (images.length >= MAX_IMAGES) break;
      const view = { x: NaN, y: NaN, width: NaN, height: NaN };
      image = { view, isMacro: false, dimensions: [], channels: new Map() };
      images.push(image);
    } else if (name === 'dimension') {
      image?.dimensions.push({
        width: number('sizeX'),
        height: number('sizeY'),
        directory: wholeNumber(attributes.get('ifd'), -1),
        z: wholeNumber(attributes.get('z'), 0),
        channel: wholeNumber(attributes.get('c'), 0),
      });
    } else if (name === 'view' && image) {
      const [x, y] = [number('offsetX'), number('offsetY')];
      image.view = { x, y, width: number('sizeX'), height: number('sizeY') };
      const { width, height } = image.view;
      image.isMacro = x === 0 && y === 0 && width === slide.width && height === slide.height;
    } else if (name === 'objective') {
      const magnification = Number(content());
      if (image && magnification > 0) image.magnification = magnification;
    } else if (name === 'channel') {
      const color = /^#?([\da-f]{6})$/i.exec(attributes.get('rgb') ?? '')?.[1];
      const rgb = color === undefined ? undefined : Number.parseInt(color, 16);
      const label = attributes.get('name');
      image?.channels.set(wholeNumber(attributes.get('index'), image.channels.size), {
        ...(label && { name: label }),
        ...(rgb !== undefined && { color: [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255] }),
      });
    }
  }
  return images;
}

async function layoutOf(
  directories: readonly TiffDirectory[],
  images: readonly ScnImage[],
  notes: Reason[],
  signal: AbortSignal | undefined,
): Promise<TiffLayout> {
  const planes: TiffPlane[] = [];
  const series: TiffSeries[] = [];
  const areas = images.filter(({ isMacro }) => !isMacro);
  const sorted = [...areas, ...images.filter(({ isMacro }) => isMacro)];
  for (const image of sorted) {
    throwIfCanceled(signal);
    const imageSeries = await seriesOf(image, directories, planes);
    if (!imageSeries) continue;
    const { x, y } = image.view;
    const isPlaced = Number.isFinite(x) && Number.isFinite(y);
    const place = isPlaced && { left: x / 1000, top: y / 1000 };
    if (image.isMacro) imageSeries.role = { kind: 'macro' };
    else if (areas.length === 1) imageSeries.role = { kind: 'slide' };
    else imageSeries.role = { kind: 'area', number: areas.indexOf(image) + 1, ...place };
    series.push(imageSeries);
  }
  if (series.length < images.length)
    notes.push(
      reason("Images in the metadata that this file doesn't have: {0}", images.length - series.length),
    );
  if (series.length > 1)
    notes.push(
      codedReason('one-image-shown', 'The file has {0} images; one of them is shown', series.length),
    );
  return { planes, series, notes };
}

/**
 * The series of an image, from directories whose size matches the XML; undefined if none matches.
 * Adds the image's planes to `planes`.
 */
async function seriesOf(
  { dimensions, view, magnification, channels }: ScnImage,
  directories: readonly TiffDirectory[],
  planes: TiffPlane[],
): Promise<TiffSeries | undefined> {
  /** Levels by channel and focal plane. */
  const levelsByPlane = new Map<string, TiffPlane>();
  for (const { width, height, directory: number, z, channel } of dimensions) {
    const directory = directories[number];
    if (!directory || z >= MAX_PLANES || channel >= MAX_PLANES) continue;
    const [w, h] = [await directory.number(Tag.width), await directory.number(Tag.height)];
    if (w !== width || h !== height) continue;
    const key = `${channel}/${z}`;
    const levels = levelsByPlane.get(key) ?? [];
    levels.push({ directory, width, height });
    levelsByPlane.set(key, levels);
  }
  for (const levels of levelsByPlane.values()) levels.sort((a, b) => b.width - a.width);
  const [finest] = [...levelsByPlane.values()]
    .map(levels => levels[0])
    .sort((a, b) => (b?.width ?? 0) - (a?.width ?? 0));
  if (!finest) return undefined;
  const planeNumbers = new Map<string, number>();
  for (const [key, levels] of levelsByPlane) {
    // Skip planes whose finest level has another size.
    if (levels[0]?.width !== finest.width || levels[0].height !== finest.height) continue;
    planeNumbers.set(key, planes.length);
    planes.push(levels);
  }
  const counts = [...planeNumbers.keys()].map(key => key.split('/').map(Number));
  const count = (axis: number) => Math.max(...counts.map(at => at[axis] ?? 0)) + 1;
  const [channelCount, z] = [count(0), count(1)];
  const pixelSize = pixelSizeOf(view, finest);
  const hasSeparateChannels = channelCount > 1;
  return {
    width: finest.width,
    height: finest.height,
    page: Math.min(...planeNumbers.values()),
    axes: { page: 1, z, t: 1 },
    ...(hasSeparateChannels && {
      channels: Array.from({ length: channelCount }, (_, at) => channels.get(at) ?? {}),
    }),
    place: (position, channel) => {
      const plane = planeNumbers.get(`${hasSeparateChannels ? channel : 0}/${position.z}`);
      return plane === undefined ? undefined : { plane, sample: hasSeparateChannels ? 0 : channel };
    },
    ...(pixelSize && { pixelSize }),
    ...(magnification !== undefined && { magnification }),
  };
}

/** Pixel size from the size on the glass, in nm, and the size in pixels. */
function pixelSizeOf(
  view: ScnImage['view'],
  { width, height }: { width: number; height: number },
): PixelSize | undefined {
  const [x, y] = [view.width / width / 1000, view.height / height / 1000];
  const isPlausible = (size: number) => size > 0.0005 && size < 1000;
  return isPlausible(x) && isPlausible(y) ? { x, y, from: 'leica' } : undefined;
}
