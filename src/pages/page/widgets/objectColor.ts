import type { Rgb } from '../../../base/rgb';

/** A color of its own for each object: hues a golden angle apart never come near each other soon. */
export function objectColor(object: number): Rgb {
  const hue = (object * 137.508) % 360;
  const lightness = [0.78, 0.68, 0.86][object % 3] ?? 0.78;
  return fromOklch(lightness, 0.13, hue);
}

/** sRGB of an OKLCh color (hue in degrees); chroma is lowered until the color can be shown. */
function fromOklch(lightness: number, chroma: number, hue: number): Rgb {
  const angle = (hue * Math.PI) / 180;
  for (let c = chroma; ; c *= 0.95) {
    const linear = linearRgb(lightness, c * Math.cos(angle), c * Math.sin(angle));
    if (c < 0.005 || linear.every(part => part >= -1e-4 && part <= 1.0001)) {
      const [red = 0, green = 0, blue = 0] = linear.map(encoded);
      return [red, green, blue];
    }
  }
}

/** OKLab to linear sRGB; matrices of Björn Ottosson's definition. */
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
