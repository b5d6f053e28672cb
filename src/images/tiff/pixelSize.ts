import type { PixelSize } from '../backgroundImageLook';
import type { TiffDirectory } from './tiffDirectory';
import { Tag } from './tiffTags';

/** µm per pixel; beyond, a resolution tag is for a printer or a screen: 72 and 96 dpi are 353 and 265. */
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
export function aperioPixelSize(description: string): PixelSize | undefined {
  const mpp = Number(/\bMPP\s*=\s*([\d.eE+-]+)/.exec(description)?.[1] ?? NaN);
  return mpp > MIN_PIXEL_SIZE && mpp < 1000 ? { x: mpp, y: mpp, from: 'aperio' } : undefined;
}

/** Pixel size from ImageJ's unit and the resolution tags, which then count pixels per that unit. */
export async function imageJPixelSize(
  directory: TiffDirectory,
  unit: string | undefined,
): Promise<PixelSize | undefined> {
  const micrometers = unit === undefined ? undefined : IMAGEJ_UNITS[unit];
  if (micrometers === undefined) return undefined;
  return perPixel(directory, micrometers, 'imagej', 1000);
}

/** Pixel size from the resolution tags, when they are in inches or centimeters and those of a microscope. */
export async function resolutionPixelSize(directory: TiffDirectory): Promise<PixelSize | undefined> {
  const unit = (await directory.number(Tag.resolutionUnit)) ?? 2;
  const micrometers = unit === 2 ? 25_400 : unit === 3 ? 10_000 : undefined;
  return micrometers === undefined
    ? undefined
    : perPixel(directory, micrometers, 'resolution', MAX_PIXEL_SIZE);
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
