import { equal, ok } from 'node:assert/strict';
import { classColor, contrast, distinctColors, type Rgb, toHex } from '../../../src/base/colors';

const colors = Array.from({ length: distinctColors }, (_, i) => classColor(i));
const BLACK: Rgb = [0, 0, 0];

/** Linear-light matrices of Machado et al. 2009, severity 1. */
const DEFICIENCIES: Record<string, number[]> = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const linear = (part: number) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** CIE L*a*b* (D65) of a color as seen with a deficiency, or without one. */
function lab(color: Rgb, matrix: number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1]): number[] {
  const light = color.map(linear);
  const row = (m: number[], i: number, v: number[]) =>
    [0, 1, 2].reduce((sum, j) => sum + (m[i * 3 + j] ?? 0) * (v[j] ?? 0), 0);
  const seen = [0, 1, 2].map(i => Math.min(1, Math.max(0, row(matrix, i, light))));
  const toXyz = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505];
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x = 0, y = 0, z = 0] = [0.9505, 1, 1.089].map((white, i) => f(row(toXyz, i, seen) / white));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(a: number[], b: number[]): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}

describe('class colors', () => {
  for (const [name, matrix] of Object.entries(DEFICIENCIES)) {
    it(`can be distinguished with ${name}`, () => {
      for (const [i, a] of colors.entries()) {
        for (const b of colors.slice(i + 1)) {
          const apart = distance(lab(a, matrix), lab(b, matrix));
          ok(apart > 10, `${toHex(a)} and ${toHex(b)}: ${apart.toFixed(1)}`);
        }
      }
    });
  }

  it('can be distinguished well without any', () => {
    for (const [i, a] of colors.entries()) {
      for (const b of colors.slice(i + 1)) ok(distance(lab(a), lab(b)) > 25, `${toHex(a)} ${toHex(b)}`);
    }
  });

  it('stand out on a dark background image by themselves', () => {
    for (const color of colors) ok(contrast(color, BLACK) >= 5, toHex(color));
  });

  it('stand out on any gray, if only by their dark halo', () => {
    for (const color of colors) {
      for (let gray = 0; gray < 256; gray++) {
        const ground: Rgb = [gray, gray, gray];
        ok(Math.max(contrast(color, ground), contrast(BLACK, ground)) >= 2, `${toHex(color)} on ${gray}`);
      }
    }
  });

  it('are all different for as many classes as three rounds have', () => {
    const all = Array.from({ length: 3 * distinctColors }, (_, i) => toHex(classColor(i)));
    equal(new Set(all).size, all.length);
  });
});
