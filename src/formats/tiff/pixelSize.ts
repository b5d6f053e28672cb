import type { PixelSize } from '../pictureLook';
import type { TiffDirectory } from './tiffDirectory';
import { Tag } from './tiffTags';

/** µm per pixel beyond which a resolution tag is of a scanner, a printer or a screen: 72 and 96 dpi are 353 and 265. */
const LARGEST = 20;
const SMALLEST = 0.0005;

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

/** Pixel size from what scanners of Aperio write into the description: "|MPP = 0.2521". */
export function aperioPixelSize(description: string): PixelSize | undefined {
  const mpp = Number(/\bMPP\s*=\s*([\d.eE+-]+)/.exec(description)?.[1] ?? NaN);
  return mpp > SMALLEST && mpp < 1000 ? { x: mpp, y: mpp, from: 'aperio' } : undefined;
}

/** Pixel size from ImageJ's unit and the resolution tags, which then count pixels per that unit. */
export async function imageJPixelSize(
  directory: TiffDirectory,
  unit: string | undefined,
): Promise<PixelSize | undefined> {
  const micrometres = unit === undefined ? undefined : IMAGEJ_UNITS[unit];
  if (micrometres === undefined) return undefined;
  return perPixel(directory, micrometres, 'imagej', 1000);
}

/** Pixel size from the resolution tags, when they are in inches or centimetres and those of a microscope. */
export async function resolutionPixelSize(directory: TiffDirectory): Promise<PixelSize | undefined> {
  const unit = (await directory.number(Tag.resolutionUnit)) ?? 2;
  const micrometres = unit === 2 ? 25_400 : unit === 3 ? 10_000 : undefined;
  return micrometres === undefined ? undefined : perPixel(directory, micrometres, 'resolution', LARGEST);
}

async function perPixel(
  directory: TiffDirectory,
  unit: number,
  from: PixelSize['from'],
  largest: number,
): Promise<PixelSize | undefined> {
  const x = unit / ((await directory.number(Tag.xResolution)) ?? NaN);
  const y = unit / ((await directory.number(Tag.yResolution)) ?? NaN);
  const believable = (size: number) => size >= SMALLEST && size <= largest;
  return believable(x) && believable(y) ? { x, y, from } : undefined;
}
