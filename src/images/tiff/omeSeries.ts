import { pathParts } from '../../base/pathParts';
import type { OmeImage, OmeTiffData } from './omeXml';
import type { TiffPlane } from './tiffLevels';
import type { TiffSeries } from './tiffSeries';

const MAX_CHANNELS = 4096;

/** How many times the images of a text may still name a plane. Of a damaged text each image may name all planes. */
export interface PlaneNames {
  left: number;
}

/**
 * Lays the planes of a file out as an OME image says. Directories are counted over the planes: levels are in SubIFDs.
 * Undefined when none of its planes is in the file. `alone`: the file has no other image. `names` is shared by all images.
 */
export function omeSeries(
  image: OmeImage,
  planes: readonly TiffPlane[],
  fileName: string,
  { alone, names }: { alone: boolean; names: PlaneNames },
): TiffSeries | undefined {
  const { z: sizeZ, t: sizeT } = image;
  // Channels of several samples, such as RGB, are one plane of as many samples.
  const perPlane = Math.max(1, image.channels[0]?.samplesPerPixel ?? 1);
  const sizeC = Math.max(1, Math.ceil(image.c / perPlane));
  // More channels than this are a damaged text, and would be allocated for.
  if (sizeC > MAX_CHANNELS) return undefined;
  const places = new Map<number, number>();
  const key = (c: number, z: number, t: number) => (t * sizeZ + z) * sizeC + c;
  // A plane is named once, or again by an element of its own; a damaged text names all of them with each element.
  let left = planes.length + image.tiffData.length;
  for (const data of inThisFile(image.tiffData, fileName)) {
    const count = data.planes ?? (data.ifd === undefined ? planes.length : 1);
    let [c, z, t] = [data.c, data.z, data.t];
    for (let i = 0; i < count && left > 0 && names.left > 0; i++, left--, names.left--) {
      const plane = (data.ifd ?? 0) + i;
      if (plane >= planes.length || c >= sizeC || z >= sizeZ || t >= sizeT) break;
      places.set(key(c, z, t), plane);
      [c, z, t] = following(image.order, { C: sizeC, Z: sizeZ, T: sizeT }, c, z, t);
    }
  }
  if (places.size === 0 && alone && image.tiffData.length === 0) {
    let [c, z, t] = [0, 0, 0];
    for (let plane = 0; plane < planes.length && t < sizeT && z < sizeZ && c < sizeC; plane++) {
      places.set(key(c, z, t), plane);
      [c, z, t] = following(image.order, { C: sizeC, Z: sizeZ, T: sizeT }, c, z, t);
    }
  }
  let first = Infinity;
  for (const plane of places.values()) first = Math.min(first, plane);
  const level = planes[first]?.[0];
  if (!level) return undefined;
  const several = sizeC > 1;
  const channels = image.channels.map(({ name, color }) => ({
    ...(name !== undefined && { name }),
    ...(color && { color }),
  }));
  return {
    width: level.width,
    height: level.height,
    page: first,
    axes: { page: 1, z: sizeZ, t: sizeT },
    ...(several
      ? { channels: Array.from({ length: sizeC }, (_, c) => channels[c] ?? {}) }
      : perPlane === 1 && { sampleNames: channels }),
    place: (position, channel) => {
      const plane = places.get(key(several ? channel : 0, position.z, position.t));
      return plane === undefined ? undefined : { plane, sample: several ? 0 : channel };
    },
    ...(image.pixelSize && { pixelSize: image.pixelSize }),
    missing: sizeC * sizeZ * sizeT - places.size,
  };
}

/** The next plane in the order of the dimensions; past the end the slowest axis runs over. */
function following(
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

/** A single name also matches a renamed file; in a set the planes of other files are left out. */
function inThisFile(tiffData: readonly OmeTiffData[], fileName: string): readonly OmeTiffData[] {
  const names = new Set(tiffData.map(data => data.fileName));
  if (names.size <= 1) return tiffData;
  const own = pathParts(fileName).at(-1);
  return tiffData.filter(data => data.fileName === undefined || pathParts(data.fileName).at(-1) === own);
}
