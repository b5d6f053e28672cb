import { equal, ok } from 'node:assert/strict';
import { classColor, contrast, distinctColors, fromHex, mix, type Rgb, toHex } from '../../../src/base/colors';
import { groupColor } from '../../../src/plots/page/plotColors';
import { ciede2000, lab, visions } from '../colorDifference';

const colors = Array.from({ length: distinctColors }, (_, i) => classColor(i));
const BLACK: Rgb = [0, 0, 0];

/** Least difference of two colors, with normal vision and with a deficiency. 1 can just be seen side by side. */
const LEAST = { normal: 18, deficient: 6.5 };
const LEAST_ON_LIGHT = { normal: 21, deficient: 9 };

/** Backgrounds of editors: VS Code's own themes, and popular ones. */
const themes: Readonly<Record<string, { background: string; least: typeof LEAST }>> = {
  'Dark Modern': { background: '#1f1f1f', least: LEAST },
  'Dark High Contrast': { background: '#000000', least: LEAST },
  Monokai: { background: '#272822', least: LEAST },
  'Light Modern': { background: '#ffffff', least: LEAST_ON_LIGHT },
  'Light High Contrast': { background: '#ffffff', least: LEAST_ON_LIGHT },
  'Quiet Light': { background: '#f5f5f5', least: LEAST_ON_LIGHT },
  'Solarized Light': { background: '#fdf6e3', least: LEAST_ON_LIGHT },
};

function assertApart(among: readonly Rgb[], vision: readonly number[], least: number): void {
  among.forEach((a, at) => {
    for (const b of among.slice(at + 1)) {
      const apart = ciede2000(lab(a, vision), lab(b, vision));
      ok(apart >= least, `${toHex(a)} and ${toHex(b)}: ${apart.toFixed(1)}`);
    }
  });
}

describe('the difference of colors', () => {
  it('is that of the published test data', () => {
    // Pairs 1, 7, 13, 17, 20 and 25 of Sharma, Wu and Dalal (2005), table 1.
    const published: [[number, number, number], [number, number, number], number][] = [
      [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
      [[50, 0, 0], [50, -1, 2], 2.3669],
      [[50, -0.001, 2.49], [50, 0.0011, -2.49], 4.7461],
      [[50, 2.5, 0], [73, 25, -18], 27.1492],
      [[50, 2.5, 0], [58, 24, 15], 19.4535],
      [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    ];
    for (const [a, b, expected] of published) equal(ciede2000(a, b).toFixed(4), expected.toFixed(4));
  });
});

describe('class colors', () => {
  for (const [name, vision] of Object.entries(visions)) {
    const least = name === 'normal vision' ? ('normal' as const) : ('deficient' as const);
    it(`can be distinguished with ${name}`, () => assertApart(colors, vision, LEAST[least]));

    for (const [theme, { background, least: of }] of Object.entries(themes)) {
      it(`can be distinguished in plots in ${theme} with ${name}`, () => {
        const shown = colors.map((_, at) => fromHex(groupColor(at, background)) ?? BLACK);
        assertApart(shown, vision, of[least]);
      });
    }
  }

  it('can be distinguished where they fill masks on white and on black', () => {
    const [normal] = Object.values(visions);
    for (const behind of [[255, 255, 255], BLACK] as const) {
      const filled = colors.map(color => mix(behind, color, 0.45));
      assertApart(filled, normal ?? [], 9);
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

  it('are all different for as many classes as three rounds have, in plots of any theme too', () => {
    const all = Array.from({ length: 3 * distinctColors }, (_, i) => i);
    equal(new Set(all.map(at => toHex(classColor(at)))).size, all.length);
    for (const { background } of Object.values(themes))
      equal(new Set(all.map(at => groupColor(at, background))).size, all.length, background);
  });
});
