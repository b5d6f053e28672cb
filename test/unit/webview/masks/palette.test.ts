import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  classColour,
  contrast,
  distinctColours,
  fromHex,
  luminance,
  packed,
  toHex,
  type Rgb,
} from '../../../../src/webview/masks/palette';

const colours = Array.from({ length: distinctColours }, (_, i) => classColour(i));
const BLACK: Rgb = [0, 0, 0];

/** Linear-light matrices of Machado et al. 2009, severity 1. */
const DEFICIENCIES: Record<string, number[]> = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const linear = (part: number) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** CIE L*a*b* (D65) of a colour as seen with a deficiency, or without one. */
function lab(colour: Rgb, matrix: number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1]): number[] {
  const light = colour.map(linear);
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

describe('class colours', () => {
  for (const [name, matrix] of Object.entries(DEFICIENCIES)) {
    it(`can be told apart with ${name}`, () => {
      for (const [i, a] of colours.entries()) {
        for (const b of colours.slice(i + 1)) {
          const apart = distance(lab(a, matrix), lab(b, matrix));
          ok(apart > 10, `${toHex(a)} and ${toHex(b)}: ${apart.toFixed(1)}`);
        }
      }
    });
  }

  it('can be told apart well without any', () => {
    for (const [i, a] of colours.entries()) {
      for (const b of colours.slice(i + 1)) ok(distance(lab(a), lab(b)) > 25, `${toHex(a)} ${toHex(b)}`);
    }
  });

  it('stand out on a dark picture by themselves', () => {
    for (const colour of colours) ok(contrast(colour, BLACK) >= 5, toHex(colour));
  });

  it('stand out on any grey, be it by their dark halo', () => {
    for (const colour of colours) {
      for (let grey = 0; grey < 256; grey++) {
        const ground: Rgb = [grey, grey, grey];
        ok(Math.max(contrast(colour, ground), contrast(BLACK, ground)) >= 2, `${toHex(colour)} on ${grey}`);
      }
    }
  });

  it('are all different for as many classes as three rounds have', () => {
    const all = Array.from({ length: 3 * distinctColours }, (_, i) => toHex(classColour(i)));
    equal(new Set(all).size, all.length);
  });
});

describe('colours', () => {
  it('survive being written and read', () => {
    deepEqual(fromHex(toHex([0, 10, 255])), [0, 10, 255]);
    equal(fromHex('red'), undefined);
    equal(fromHex('#12345'), undefined);
  });

  it('are packed as the bytes of image data', () => {
    deepEqual([...new Uint8Array(new Uint32Array([packed([1, 2, 3], 4)]).buffer)], [1, 2, 3, 4]);
  });

  it('have the luminance and contrast of WCAG', () => {
    equal(luminance([255, 255, 255]), 1);
    equal(contrast([255, 255, 255], BLACK), 21);
  });
});
