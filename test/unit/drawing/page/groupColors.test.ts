import { equal } from 'node:assert/strict';
import { fromHex } from '../../../../src/base/colors';
import { groupColor } from '../../../../src/drawing/page/plotColors';
import { assertApart, visions } from '../../colorDifference';

const COLORS = 8;

/** Least differences of the palette in plots: with normal vision, and with a deficiency. */
const ON_DARK = { normal: 18, deficient: 6.5 };
const ON_LIGHT = { normal: 21, deficient: 9 };

/** Backgrounds of editors: VS Code's own themes, and popular ones. */
const themes: Readonly<Record<string, { background: string; least: typeof ON_DARK }>> = {
  'Dark Modern': { background: '#1f1f1f', least: ON_DARK },
  'Dark High Contrast': { background: '#000000', least: ON_DARK },
  Monokai: { background: '#272822', least: ON_DARK },
  'Light Modern': { background: '#ffffff', least: ON_LIGHT },
  'Light High Contrast': { background: '#ffffff', least: ON_LIGHT },
  'Quiet Light': { background: '#f5f5f5', least: ON_LIGHT },
  'Solarized Light': { background: '#fdf6e3', least: ON_LIGHT },
};

describe('colors of classes and groups in a plot', () => {
  for (const [theme, { background, least }] of Object.entries(themes)) {
    for (const [name, vision] of Object.entries(visions)) {
      it(`can be distinguished in ${theme} with ${name}`, () => {
        const shown = Array.from(
          { length: COLORS },
          (_, at) => fromHex(groupColor(at, background)) ?? [0, 0, 0],
        );
        assertApart(
          shown as [number, number, number][],
          vision,
          name === 'normal vision' ? least.normal : least.deficient,
        );
      });
    }

    it(`are all different in ${theme} for as many groups as three rounds have`, () => {
      const all = Array.from({ length: 3 * COLORS }, (_, at) => groupColor(at, background));
      equal(new Set(all).size, all.length);
    });
  }
});
