import type { Extent } from './viewTransform';

/** µm per pixel across and down. */
export interface MicronSize {
  x: number;
  y: number;
}

/** Sides that differ by less are taken for a square: files round them. */
const SQUARE_WITHIN = 0.01;

/** The size of an image's pixels when a background image of `of` per pixel is stretched over it. */
export function stretchedSize(of: MicronSize, backgroundImage: Extent, image: Extent): MicronSize {
  return {
    x: (of.x * backgroundImage.width) / image.width,
    y: (of.y * backgroundImage.height) / image.height,
  };
}

export function isSquare({ x, y }: MicronSize): boolean {
  return Math.abs(x / y - 1) <= SQUARE_WITHIN;
}

/** Decimals of a position in µm that tell neighboring pixels apart. */
export function micronDecimals(side: number): number {
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(side))));
}

/** µm² of an area in pixels. */
export function areaInMicrons(area: number, { x, y }: MicronSize): number {
  return area * x * y;
}

/** µm of a perimeter in pixels; unknown where pixels are not square, since it does not say which way it runs. */
export function perimeterInMicrons(perimeter: number, size: MicronSize): number | undefined {
  return isSquare(size) ? perimeter * Math.sqrt(size.x * size.y) : undefined;
}
