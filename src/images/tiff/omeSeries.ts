import { pathParts } from '../../base/pathParts';
import type { PixelSize } from '../backgroundImageInfo';
import { tagsOf, wholeNumber } from '../xmlTags';
import type { TiffPlane, TiffSeries } from './tiffPlanes';

const MAX_CHANNELS = 4096;

/** The limit on references to planes: in damaged XML, every image may refer to all planes. */
export interface PlaneReferences {
  /** Number of references that are still allowed. */
  left: number;
}

/**
 * The series of an OME image: assigns the file's planes to its channels, focal planes and times.
 * OME's directory numbers count planes, because coarser levels are in SubIFDs. Undefined if the
 * file has none of its planes. `isOnlyImage`: the file has no other image. All images share the
 * limit `references`.
 */
export function omeSeries(
  image: OmeImage,
  planes: readonly TiffPlane[],
  fileName: string,
  { isOnlyImage, references }: { isOnlyImage: boolean; references: PlaneReferences },
): TiffSeries | undefined {
  const { z: sizeZ, t: sizeT } = image;
  // A channel of several samples, such as RGB, is one plane of as many samples.
  const samplesPerPlane = Math.max(1, image.channels[0]?.samplesPerPixel ?? 1);
  const sizeC = Math.max(1, Math.ceil(image.c / samplesPerPlane));
  // Damaged XML may state any number of channels, and memory would be allocated for them.
  if (sizeC > MAX_CHANNELS) return undefined;
  const planeByPosition = new Map<number, number>();
  const key = (c: number, z: number, t: number) => (t * sizeZ + z) * sizeC + c;
  // In valid XML, a plane is named once, and perhaps again by its own element. In damaged XML,
  // every element may name all planes.
  let left = planes.length + image.tiffData.length;
  for (const data of inThisFile(image.tiffData, fileName)) {
    const count = data.planes ?? (data.ifd === undefined ? planes.length : 1);
    let [c, z, t] = [data.c, data.z, data.t];
    for (let i = 0; i < count && left > 0 && references.left > 0; i++, left--, references.left--) {
      const plane = (data.ifd ?? 0) + i;
      if (plane >= planes.length || c >= sizeC || z >= sizeZ || t >= sizeT) break;
      planeByPosition.set(key(c, z, t), plane);
      [c, z, t] = nextPosition(image.order, { C: sizeC, Z: sizeZ, T: sizeT }, c, z, t);
    }
  }
  if (planeByPosition.size === 0 && isOnlyImage && image.tiffData.length === 0) {
    let [c, z, t] = [0, 0, 0];
    for (let plane = 0; plane < planes.length && t < sizeT && z < sizeZ && c < sizeC; plane++) {
      planeByPosition.set(key(c, z, t), plane);
      [c, z, t] = nextPosition(image.order, { C: sizeC, Z: sizeZ, T: sizeT }, c, z, t);
    }
  }
  let first = Infinity;
  for (const plane of planeByPosition.values()) first = Math.min(first, plane);
  const level = planes[first]?.[0];
  if (!level) return undefined;
  const hasSeparateChannels = sizeC > 1;
  const channels = image.channels.map(({ name, color }) => ({
    ...(name !== undefined && { name }),
    ...(color && { color }),
  }));
  return {
    width: level.width,
    height: level.height,
    page: first,
    axes: { page: 1, z: sizeZ, t: sizeT },
    ...(hasSeparateChannels
      ? { channels: Array.from({ length: sizeC }, (_, c) => channels[c] ?? {}) }
      : samplesPerPlane === 1 && { sampleNames: channels }),
    place: (position, channel) => {
      const plane = planeByPosition.get(key(hasSeparateChannels ? channel : 0, position.z, position.t));
      return plane === undefined ? undefined : { plane, sample: hasSeparateChannels ? 0 : channel };
    },
    ...(image.pixelSize && { pixelSize: image.pixelSize }),
    missing: sizeC * sizeZ * sizeT - planeByPosition.size,
  };
}

/** The next position in the order of the dimensions. After the last, the slowest axis overruns. */
function nextPosition(
  order: string,
  sizes: Readonly<Record<string, number>>,
  c: number,
  z: number,
  t: number,
): [c: number, z: number, t: number] {
  const at: Record<string, number> = { C: c, Z: z, T: t };
  const axes = [...order];
  for (const [i, axis] of axes.entries()) {
    at[axis] = (at[axis] ?? 0) + 1;
    if ((at[axis] ?? 0) < (sizes[axis] ?? 1) || i === axes.length - 1) break;
    at[axis] = 0;
  }
  return [at['C'] ?? 0, at['Z'] ?? 0, at['T'] ?? 0];
}

/**
 * Elements about planes in this file. In a set of files, others are left out. A single file name
 * counts as this file, which may have been renamed.
 */
function inThisFile(tiffData: readonly OmeTiffData[], fileName: string): readonly OmeTiffData[] {
  const names = new Set(tiffData.map(data => data.fileName));
  if (names.size <= 1) return tiffData;
  const baseName = pathParts(fileName).at(-1);
  return tiffData.filter(data => data.fileName === undefined || pathParts(data.fileName).at(-1) === baseName);
}

interface OmeChannel {
  name?: string;
  color?: [red: number, green: number, blue: number];
  samplesPerPixel: number;
}

/** One TiffData element: the planes that the file's directories hold. */
interface OmeTiffData {
  ifd?: number;
  c: number;
  z: number;
  t: number;
  planes?: number;
  /** The file that holds the planes, in a set of files. */
  fileName?: string;
}

/** One image (series) of an OME-TIFF file. */
export interface OmeImage {
  name?: string;
  /** Axes after X and Y, from the fastest to the slowest, such as "CZT". */
  order: string;
  z: number;
  c: number;
  t: number;
  width: number;
  height: number;
  channels: OmeChannel[];
  tiffData: OmeTiffData[];
  pixelSize?: PixelSize;
}

/** µm per unit, for OME's units of length that microscopes use. */
const MICROMETERS: Readonly<Record<string, number>> = {
  µm: 1,
  μm: 1,
  um: 1,
  micron: 1,
  nm: 1e-3,
  Å: 1e-4,
  pm: 1e-6,
  mm: 1e3,
  cm: 1e4,
  m: 1e6,
  in: 25_400,
};

/** Reads the images of an OME-XML text; empty for other text. */
export function readOmeXml(text: string): OmeImage[] {
  if (!/<(?:\w+:)?OME[\s>]/.test(text.slice(0, 4096))) return [];
  const images: OmeImage[] = [];
  let image: OmeImage | undefined;
  let imageName: string | undefined;
  for (const { name, attributes } of tagsOf(text)) {
    if (name === 'Image') {
      imageName = attributes.get('Name');
    } else if (name === 'Pixels') {
      image = imageOf(attributes, imageName);
      images.push(image);
    } else if (name === 'Channel') {
      image?.channels.push(channelOf(attributes));
    } else if (name === 'TiffData') {
      image?.tiffData.push(tiffDataOf(attributes));
    } else if (name === 'UUID' && attributes.has('FileName')) {
      const data = image?.tiffData.at(-1);
      const fileName = attributes.get('FileName');
      if (data && fileName !== undefined) data.fileName = fileName;
    }
  }
  return images;
}

function imageOf(attributes: Map<string, string>, name: string | undefined): OmeImage {
  const size = (axis: string) => Math.max(1, wholeNumber(attributes.get(`Size${axis}`), 1));
  const x = length(attributes, 'PhysicalSizeX');
  const y = length(attributes, 'PhysicalSizeY') ?? x;
  return {
    ...(name !== undefined && name !== '' && { name }),
    order: (attributes.get('DimensionOrder') ?? 'XYZCT').replace(/[XY]/g, ''),
    z: size('Z'),
    c: size('C'),
    t: size('T'),
    width: size('X'),
    height: size('Y'),
    channels: [],
    tiffData: [],
    ...(x !== undefined && y !== undefined && { pixelSize: { x, y, from: 'ome' } }),
  };
}

function length(attributes: Map<string, string>, key: string): number | undefined {
  const value = Number(attributes.get(key) ?? NaN);
  const unit = MICROMETERS[attributes.get(`${key}Unit`) ?? 'µm'];
  return unit !== undefined && Number.isFinite(value) && value > 0 ? value * unit : undefined;
}

function channelOf(attributes: Map<string, string>): OmeChannel {
  const name = attributes.get('Name') ?? attributes.get('Fluor');
  // A signed number: red, green, blue and alpha, a byte each.
  const color = attributes.has('Color') ? Number(attributes.get('Color')) : NaN;
  return {
    ...(name && { name }),
    ...(Number.isInteger(color) && {
      color: [(color >> 24) & 255, (color >> 16) & 255, (color >> 8) & 255],
    }),
    samplesPerPixel: Math.max(1, wholeNumber(attributes.get('SamplesPerPixel'), 1)),
  };
}

function tiffDataOf(attributes: Map<string, string>): OmeTiffData {
  const planes = attributes.get('PlaneCount') ?? attributes.get('NumPlanes');
  return {
    ...(attributes.has('IFD') && { ifd: wholeNumber(attributes.get('IFD'), 0) }),
    c: wholeNumber(attributes.get('FirstC'), 0),
    z: wholeNumber(attributes.get('FirstZ'), 0),
    t: wholeNumber(attributes.get('FirstT'), 0),
    ...(planes !== undefined && { planes: wholeNumber(planes, 1) }),
  };
}
