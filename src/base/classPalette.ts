import { mix, type Rgb } from './rgb';

/**
 * Class colors after Okabe and Ito, their blue lightened to stand out on dark images. They stay distinct with any of the
 * common color vision deficiencies; none is too dark to see in fluorescence, and a halo sets them off in bright field.
 */
const BASE: readonly Rgb[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 190, 140],
  [224, 122, 184],
  [240, 228, 66],
  [226, 92, 30],
  [104, 130, 255],
  [188, 194, 200],
];

/** Color of the class at a position; beyond the palette's end its colors repeat, lighter, then darker. */
export function classColor(index: number): Rgb {
  const base = BASE[index % BASE.length] ?? [188, 194, 200];
  const round = Math.floor(index / BASE.length) % 3;
  if (round === 0) return base;
  return round === 1 ? mix(base, [255, 255, 255], 0.5) : mix(base, [0, 0, 0], 0.35);
}

/** Number of classes that get a color of their own. */
export const distinctColors = BASE.length;
