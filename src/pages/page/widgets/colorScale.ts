import { fromHex, mix, type Rgb } from '../../../base/colors';

/** Steps of a scale: more than the eye distinguishes. */
export const SCALE_STEPS = 256;

export const colorMapNames = ['viridis', 'turbo', 'grays'] as const;

/**
 * How numbers become colors. Viridis and Grays differ in lightness, so that they work with any
 * color vision; Turbo shows smaller differences.
 */
export type ColorMapName = (typeof colorMapNames)[number];

/**
 * Colors at equal distances, without visible edges. The lowest gray is visible on a black image.
 */
const STOPS: Record<ColorMapName, readonly Rgb[]> = {
  viridis: stops(
    '440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725',
  ),
  turbo: stops(
    '30123b 4145ab 4675ed 39a2fc 1bcfd4 24eca6 61fc6c a4fc3b d1e834 f3c63a fe9b2d f36315 d93806 b11901 7a0402',
  ),
  grays: stops('282828 ffffff'),
};

/** The colors of a scale, from the lowest to the highest value. */
export function makeColorScale(name: ColorMapName = 'viridis'): readonly Rgb[] {
  return Array.from({ length: SCALE_STEPS }, (_, step) => scaleColor(step / (SCALE_STEPS - 1), name));
}

/** The color for a share 0…1 of the scale. */
export function scaleColor(share: number, name: ColorMapName = 'viridis'): Rgb {
  const colors = STOPS[name];
  const position = Math.min(1, Math.max(0, share)) * (colors.length - 1);
  const below = Math.min(Math.floor(position), colors.length - 2);
  const [from = [0, 0, 0], to = [0, 0, 0]] = colors.slice(below, below + 2);
  return mix(from, to, position - below);
}

function stops(colors: string): Rgb[] {
  return colors.split(' ').flatMap(color => {
    const rgb = fromHex(`#${color}`);
    return rgb ? [rgb] : [];
  });
}

/** The range of values on the color scale. Values outside have the color of the nearest end. */
export interface ValueRange {
  low: number;
  high: number;
}

export function isSameRange(a: ValueRange | undefined, b: ValueRange | undefined): boolean {
  return a?.low === b?.low && a?.high === b?.high;
}

/** The distribution of values: counts in equal bins from `min` to `max`. */
export interface ValueSpread {
  min: number;
  max: number;
  counts: Uint32Array;
}

/** Share of the values that `usualRange` leaves out at each end. */
const CUT_SHARE = 0.01;

/** The distribution of values that are finite numbers; undefined without any. */
export function spreadOf(values: Iterable<number>, bins: number): ValueSpread | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return undefined;
  const counts = new Uint32Array(bins);
  const perUnit = max > min ? bins / (max - min) : 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    const bin = Math.min(bins - 1, Math.floor((value - min) * perUnit));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return { min, max, counts };
}

/**
 * The range without the lowest and highest 1% of values, so that outliers don't use up the colors.
 */
export function usualRange({ min, max, counts }: ValueSpread): ValueRange {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const width = (max - min) / counts.length;
  const edge = (bins: Iterable<[number, number]>): number => {
    let passed = 0;
    for (const [bin, count] of bins) {
      passed += count;
      if (passed > total * CUT_SHARE) return bin;
    }
    return 0;
  };
  const first = edge(counts.entries());
  const last = edge([...counts.entries()].reverse());
  const low = min + first * width;
  const high = last === counts.length - 1 ? max : min + (last + 1) * width;
  return { low, high };
}

/** Sums counts into fewer, wider bins, for a small histogram. */
export function coarser(counts: Uint32Array, bins: number): number[] {
  const perBin = Math.max(1, Math.ceil(counts.length / bins));
  const sums: number[] = [];
  for (let start = 0; start < counts.length; start += perBin) {
    sums.push(counts.subarray(start, start + perBin).reduce((sum, count) => sum + count, 0));
  }
  return sums;
}

/** A color per object. Hues are a golden angle apart, so that similar ones come late. */
export function objectColor(object: number): Rgb {
  const hue = (object * 137.508) % 360;
  const lightness = [0.78, 0.68, 0.86][object % 3] ?? 0.78;
  return fromOklch(lightness, 0.13, hue);
}

/** sRGB of an OKLCh color (hue in degrees). Chroma is lowered until sRGB has the color. */
function fromOklch(lightness: number, chroma: number, hue: number): Rgb {
  const angle = (hue * Math.PI) / 180;
  for (let reduced = chroma; ; reduced *= 0.95) {
    const linear = linearRgb(lightness, reduced * Math.cos(angle), reduced * Math.sin(angle));
    if (reduced < 0.005 || linear.every(channel => channel >= -1e-4 && channel <= 1.0001)) {
      const [red = 0, green = 0, blue = 0] = linear.map(encoded);
      return [red, green, blue];
    }
  }
}

/** OKLab to linear sRGB, with the matrices of Björn Ottosson's definition. */
function linearRgb(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encoded(linear: number): number {
  const share = Math.min(1, Math.max(0, linear));
  const curved = share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055;
  return Math.round(curved * 255);
}
