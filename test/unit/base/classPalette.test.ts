import { equal, ok } from 'node:assert/strict';
import { classColor, contrast, distinctColors, mix, type Rgb, toHex } from '../../../src/base/colors';
import { assertApart, ciede2000, visions } from '../colorDifference';

const colors = Array.from({ length: distinctColors }, (_, i) => classColor(i));
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

describe('the difference of colors', () => {
  it('is that of the published test data', () => {
    // Pairs 1, 7, 13, 17, 20 and 25 of Sharma, Wu and Dalal (2005), table 1.
    const published: [[number, number, number], [number, number, number], number][] = [
      [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
      [[50, 0, 0], [50, -1, 2], 2.3669],
      [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
      [[50, 2.5, 0], [73, 25, -18], 27.1492],
      [[50, 2.5, 0], [58, 24, 15], 19.4535],
      [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    ];
    for (const [a, b, expected] of published) equal(ciede2000(a, b).toFixed(4), expected.toFixed(4));
  });
});

describe('class colors', () => {
  for (const [name, vision] of Object.entries(visions)) {
    const least = name === 'normal vision' ? 18 : 6.5;
    it(`can be distinguished with ${name}`, () => assertApart(colors, vision, least));
  }

  it('can be distinguished where they fill masks on white and on black', () => {
    for (const behind of [WHITE, BLACK]) {
      const filled = colors.map(color => mix(behind, color, 0.45));
      assertApart(filled, visions['normal vision'] ?? [], 9);
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
