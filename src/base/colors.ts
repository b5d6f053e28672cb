/** Red, green, blue, each 0…255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Mixes two colors; `share` 0 gives the first, 1 the second. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const channel = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [channel(0), channel(1), channel(2)];
}

/** #rrggbb */
export function toHex(color: Rgb): string {
  return `#${color.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

/** A color from #rrggbb; undefined for anything else. */
export function fromHex(text: string): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!match) return undefined;
  const [, red = '', green = '', blue = ''] = match;
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

/** One pixel of RGBA image data read as a little-endian uint32; alpha 0…255, not premultiplied. */
export function packed([red, green, blue]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/**
 * Class colors after Okabe and Ito, with a lighter blue that stands out on dark images. People with
 * the common color vision deficiencies can tell them apart. None is too dark for fluorescence
 * images; on bright-field images a halo sets them off.
 */
const CLASS_COLORS: readonly Rgb[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 190, 140],
  [224, 122, 184],
  [240, 228, 66],
  [226, 92, 30],
  [104, 130, 255],
  [188, 194, 200],
];

/** Color of the class at a position. After the last color they repeat: lighter, then darker. */
export function classColor(index: number): Rgb {
  const base = CLASS_COLORS[index % CLASS_COLORS.length] ?? [188, 194, 200];
  const round = Math.floor(index / CLASS_COLORS.length) % 3;
  if (round === 0) return base;
  return round === 1 ? mix(base, [255, 255, 255], 0.5) : mix(base, [0, 0, 0], 0.35);
}

/**
 * The same hues for marks on a light background. They also differ in lightness, because a dark
 * yellow looks like amber. Their contrast with white and with the light themes is at least 3.
 */
const CLASS_COLORS_ON_LIGHT: readonly Rgb[] = [
  [206, 122, 0],
  [20, 140, 220],
  [0, 115, 85],
  [210, 75, 165],
  [110, 105, 0],
  [125, 10, 20],
  [75, 60, 210],
  [138, 140, 144],
];

/**
 * Like `classColor`, for a light background. After the last color they repeat, darker each time.
 */
export function classColorOnLight(index: number): Rgb {
  const base = CLASS_COLORS_ON_LIGHT[index % CLASS_COLORS_ON_LIGHT.length] ?? [138, 140, 144];
  return mix(base, [0, 0, 0], [0, 0.3, 0.55][Math.floor(index / CLASS_COLORS_ON_LIGHT.length) % 3] ?? 0);
}

/** Number of classes that get a color of their own. */
export const distinctColors = CLASS_COLORS.length;

/** Relative luminance, 0…1 (WCAG 2). */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio of two colors, 1…21 (WCAG 2). */
export function contrast(a: Rgb, b: Rgb): number {
  const luminances = [luminance(a), luminance(b)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}
