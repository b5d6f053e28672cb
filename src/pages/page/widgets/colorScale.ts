import { fromHex, mix, type Rgb } from '../../../base/rgb';

/** Steps of a scale: more than the eye tells apart. */
export const SCALE_STEPS = 256;

export const colorMapNames = ['viridis', 'turbo', 'grays'] as const;

/**
 * How numbers become colors. Lightness alone carries the order in Viridis and Grays, so they read the same with any color
 * vision deficiency; Turbo shows smaller differences.
 */
export type ColorMapName = (typeof colorMapNames)[number];

/** Colors at equal distances, between which the eye sees no corner. The lowest gray is not black: it shows on a black image. */
const STOPS: Record<ColorMapName, readonly Rgb[]> = {
  viridis: stops(
    '440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725',
  ),
  turbo: stops(
    '30123b 4145ab 4675ed 39a2fc 1bcfd4 24eca6 61fc6c a4fc3b d1e834 f3c63a fe9b2d f36315 d93806 b11901 7a0402',
  ),
  grays: stops('282828 ffffff'),
};

/** The colors of a scale from its lowest to its highest value. */
export function makeColorScale(name: ColorMapName = 'viridis'): readonly Rgb[] {
  return Array.from({ length: SCALE_STEPS }, (_, step) => scaleColor(step / (SCALE_STEPS - 1), name));
}

/** Color of a share 0…1 of the scale. */
export function scaleColor(share: number, name: ColorMapName = 'viridis'): Rgb {
  const colors = STOPS[name];
  const at = Math.min(1, Math.max(0, share)) * (colors.length - 1);
  const below = Math.min(Math.floor(at), colors.length - 2);
  const [from = [0, 0, 0], to = [0, 0, 0]] = colors.slice(below, below + 2);
  return mix(from, to, at - below);
}

function stops(colors: string): Rgb[] {
  return colors.split(' ').flatMap(color => {
    const found = fromHex(`#${color}`);
    return found ? [found] : [];
  });
}
