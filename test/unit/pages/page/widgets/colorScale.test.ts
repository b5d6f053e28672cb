import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  colorMapNames,
  makeColorScale,
  objectColor,
  SCALE_STEPS,
} from '../../../../../src/pages/page/widgets/colorScale';
import { luminance, type Rgb } from '../../../../../src/base/colors';

/** Colors as people without one kind of cone see them (Viénot 1999), in linear light. */
function withoutCones([red, green, blue]: Rgb, kind: 'protan' | 'deutan'): number[] {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map(part => (part / 255) ** 2.2);
  return kind === 'protan'
    ? [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b]
    : [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b];
}

/** Lightness of CIELAB, 0…100. */
const lightness = (relative: number) =>
  relative > 0.008856 ? 116 * Math.cbrt(relative) - 16 : 903.3 * relative;

describe('the scale for measurements', () => {
  const scale = makeColorScale();

  it('has a color for each step, all of which a screen can show', () => {
    for (const name of colorMapNames) {
      const colors = makeColorScale(name);
      equal(colors.length, SCALE_STEPS);
      ok(colors.flat().every(part => Number.isInteger(part) && part >= 0 && part <= 255));
    }
  });

  it('has the colors that Viridis and Turbo have everywhere', () => {
    const ends = (name: 'viridis' | 'turbo') => {
      const colors = makeColorScale(name);
      return [colors[0], colors.at(-1)];
    };
    deepEqual(ends('viridis'), [
      [68, 1, 84],
      [253, 231, 37],
    ]);
    deepEqual(ends('turbo'), [
      [48, 18, 59],
      [122, 4, 2],
    ]);
  });

  it('shows its lowest gray on black', () => {
    ok((makeColorScale('grays')[0]?.[0] ?? 0) >= 40);
  });

  it('grows lighter from each step to the next, evenly to the eye', () => {
    const light = scale.map(color => lightness(luminance(color)));
    const every16 = light.filter((_, at) => at % 16 === 0);
    const steps = every16.slice(1).map((value, at) => value - (every16[at] ?? 0));
    ok(
      steps.every(step => step > 2 && step < 7),
      String(steps),
    );
  });

  it('keeps its order for people without red or green cones', () => {
    for (const kind of ['protan', 'deutan'] as const) {
      const light = scale.map(color => {
        const [r = 0, g = 0, b = 0] = withoutCones(color, kind);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      });
      const every16 = light.filter((_, at) => at % 16 === 0);
      ok(
        every16.slice(1).every((value, at) => value > (every16[at] ?? 0)),
        kind,
      );
    }
  });

  it('gives objects with neighboring numbers colors far apart', () => {
    for (let object = 0; object < 200; object++) {
      const [a, b] = [objectColor(object), objectColor(object + 1)];
      const apart = Math.hypot(...a.map((part, i) => part - (b[i] ?? 0)));
      ok(apart > 60, `${object}: ${apart}`);
    }
  });
});
