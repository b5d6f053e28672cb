import { throwIfCanceled } from '../../base/errors';
import type { PageRole, PixelSize } from '../backgroundImageInfo';
import { readDirectory, Tag, type TiffDirectory } from './tiffDirectory';

/** The place of a channel's samples, at one position of the axes. */
interface ChannelPlace {
  /** Position in TiffLayout.planes. */
  plane: number;
  sample: number;
}

interface LayoutChannel {
  name?: string;
  color?: [red: number, green: number, blue: number];
}

/** Planes of one size, arranged on axes. */
export interface TiffSeries {
  width: number;
  height: number;
  /** The first page, counted over the file's planes; identifies the series. */
  page: number;
  axes: { page: number; z: number; t: number };
  /** Channels that have separate planes; undefined if the channels are samples of one plane. */
  channels?: LayoutChannel[];
  /** Names of channels that are samples of one plane. */
  sampleNames?: LayoutChannel[];
  /** Finds the samples of a position; undefined if they aren't in the file. */
  place(position: { page: number; z: number; t: number }, channel: number): ChannelPlace | undefined;
  pixelSize?: PixelSize;
  /** Magnification of the objective. */
  magnification?: number;
  role?: PageRole;
  /** Number of planes in the metadata that the file doesn't have. */
  missing?: number;
}

/*
 * TIFF files store a pyramid's levels in one of three ways: in SubIFDs; as directories with the
 * flag of a reduced image; or, in files of slide scanners, as consecutive tiled images without a
 * flag, which have the same shape and shrink by at least a quarter.
 */

interface TiffLevel {
  directory: TiffDirectory;
  width: number;
  height: number;
  /** Bytes to add to the directory's offsets to find the samples: see imageJPlanes. */
  shift?: number;
}

/** One image of a file: its levels, the finest first. */
export type TiffPlane = TiffLevel[];

interface TiffPlanes {
  planes: TiffPlane[];
  /** Number of images that belong to no plane: labels, macro images, thumbnails and masks. */
  omittedCount: number;
}

/** Bits of NewSubfileType: a reduced version of another image; a transparency mask. */
const REDUCED = 1;
const MASK = 4;

/**
 * Groups a file's directories into planes with levels. With `scanner`, only levels of the first
 * image are used. With `stack`, images without a flag are planes, not levels.
 */
export async function gatherPlanes(
  directories: readonly TiffDirectory[],
  { scanner, stack }: { scanner: boolean; stack: boolean },
  signal?: AbortSignal,
): Promise<TiffPlanes> {
  const planes: TiffPlane[] = [];
  let omittedCount = 0;
  for (const directory of directories) {
    throwIfCanceled(signal);
    const level = await levelOf(directory);
    const flags = (await directory.number(Tag.subfileType)) ?? 0;
    const reduced = (flags & REDUCED) !== 0 || (await directory.number(Tag.oldSubfileType)) === 2;
    const plane = planes.at(-1);
    const smaller = plane !== undefined && (await isLevelOf(level, plane));
    if ((flags & MASK) !== 0) {
      omittedCount++;
    } else if (plane && smaller && (reduced || (!stack && shrinksTiled(level, plane)))) {
      plane.push(level);
    } else if (plane && (reduced || scanner)) {
      omittedCount++;
    } else {
      planes.push(await withSubDirectories(level));
    }
  }
  return { planes, omittedCount };
}

async function levelOf(directory: TiffDirectory): Promise<TiffLevel> {
  const width = (await directory.number(Tag.width)) ?? 0;
  const height = (await directory.number(Tag.height)) ?? 0;
  return { directory, width, height };
}

async function withSubDirectories(level: TiffLevel): Promise<TiffPlane> {
  const { source, encoding } = level.directory;
  const plane = [level];
  const offsets = (await level.directory.numbers(Tag.subIfds)).slice(0, 64);
  const subs: TiffLevel[] = [];
  for (const offset of offsets) {
    try {
      subs.push(await levelOf((await readDirectory(source, encoding, offset)).directory));
    } catch {
      // The image can be shown without this level.
      continue;
    }
  }
  for (const sub of subs.sort((a, b) => b.width - a.width)) if (await isLevelOf(sub, plane)) plane.push(sub);
  return plane;
}

/** Whether an image is a further level: smaller than the last, of the same shape and samples. */
async function isLevelOf(level: TiffLevel, plane: TiffPlane): Promise<boolean> {
  const [first] = plane;
  const last = plane.at(-1);
  if (!first || !last || level.width < 1 || level.height < 1) return false;
  if (level.width >= last.width || level.height > last.height) return false;
  const factor = first.width / level.width;
  // Sides are rounded separately, and scanners cut off incomplete tiles of coarse levels.
  const tolerance = 1 + 0.01 * level.height;
  if (Math.abs(first.height / factor - level.height) > tolerance) return false;
  const samples = (directory: TiffDirectory) => directory.number(Tag.samplesPerPixel);
  const bits = (directory: TiffDirectory) => directory.number(Tag.bitsPerSample);
  return (
    ((await samples(level.directory)) ?? 1) === ((await samples(first.directory)) ?? 1) &&
    ((await bits(level.directory)) ?? 1) === ((await bits(first.directory)) ?? 1)
  );
}

/** Whether an image is a scanner's level: tiled, and at least a quarter smaller than the last. */
function shrinksTiled(level: TiffLevel, plane: TiffPlane): boolean {
  const last = plane.at(-1);
  const tiled = ({ directory }: TiffLevel) => directory.count(Tag.tileWidth) > 0;
  return last !== undefined && tiled(level) && tiled(last) && level.width <= last.width * 0.75;
}
