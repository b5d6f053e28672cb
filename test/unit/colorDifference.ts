import { ok } from 'node:assert/strict';
import { type Rgb, toHex } from '../../src/base/colors';

/*
 * How far colors are apart for the eye: CIEDE2000 (Sharma, Wu and Dalal 2005), in which 1 is about
 * what can just be seen side by side, also as people with a color vision deficiency see them
 * (Machado, Oliveira and Fernandes 2009, severity 1).
 */

const NORMAL = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Matrices for linear light. */
export const visions: Readonly<Record<string, readonly number[]>> = {
  'normal vision': NORMAL,
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const linear = (part: number) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** CIE L*a*b* (D65) of a color as seen with a deficiency, or without one. */
export function lab(color: Rgb, vision: readonly number[] = NORMAL): [number, number, number] {
  const row = (m: readonly number[], i: number, v: readonly number[]) =>
    [0, 1, 2].reduce((sum, j) => sum + (m[i * 3 + j] ?? 0) * (v[j] ?? 0), 0);
  const light = color.map(linear);
  const seen = [0, 1, 2].map(i => Math.min(1, Math.max(0, row(vision, i, light))));
  const toXyz = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505];
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [x = 0, y = 0, z = 0] = [0.95047, 1, 1.08883].map((white, i) => f(row(toXyz, i, seen) / white));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const RADIANS = Math.PI / 180;

/** The difference of two colors in L*a*b*. */
export function ciede2000(
  [l1, a1, b1]: readonly [number, number, number],
  [l2, a2, b2]: readonly [number, number, number],
): number {
  const sevenths = (chroma: number) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const stretch = 1 + 0.5 * (1 - sevenths((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [c1, c2] = [Math.hypot(stretch * a1, b1), Math.hypot(stretch * a2, b2)];
  const hue = (a: number, b: number) => (Math.atan2(b, stretch * a) / RADIANS + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const isGray = c1 * c2 === 0;
  const between = h2 - h1;
  const turn = isGray ? 0 : between > 180 ? between - 360 : between < -180 ? between + 360 : between;
  const hueStep = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * RADIANS);
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const sum = h1 + h2;
  const h = isGray ? sum : Math.abs(between) <= 180 ? sum / 2 : sum < 360 ? sum / 2 + 180 : sum / 2 - 180;
  const cos = (degrees: number) => Math.cos(degrees * RADIANS);
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * c);
  const hues = hueStep / (1 + 0.015 * c * t);
  const rotation = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * RADIANS) * 2 * sevenths(c);
  return Math.sqrt(lightness ** 2 + chroma ** 2 + hues ** 2 + rotation * chroma * hues);
}

/** Fails with the colors of which two are closer than `least`. */
export function assertApart(among: readonly Rgb[], vision: readonly number[], least: number): void {
  among.forEach((a, at) => {
    for (const b of among.slice(at + 1)) {
      const apart = ciede2000(lab(a, vision), lab(b, vision));
      ok(apart >= least, `${toHex(a)} and ${toHex(b)}: ${apart.toFixed(1)}`);
    }
  });
}
