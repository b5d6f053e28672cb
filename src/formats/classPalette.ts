/** Red, green, blue, each 0…255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Class colours after Okabe and Ito, their blue lightened to stand out on dark pictures. Told apart with any of the common
 * colour vision deficiencies; none is so dark that it is lost in fluorescence, and the halo carries them on bright field.
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

/** Colour of the class at a position; past the palette's end its colours come again, lighter, then darker. */
export function classColour(index: number): Rgb {
  const base = BASE[index % BASE.length] ?? [188, 194, 200];
  const round = Math.floor(index / BASE.length) % 3;
  if (round === 0) return base;
  return round === 1 ? mix(base, [255, 255, 255], 0.5) : mix(base, [0, 0, 0], 0.35);
}

/** How many classes get a colour of their own. */
export const distinctColours = BASE.length;

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [at(0), at(1), at(2)];
}

/** #rrggbb */
export function toHex(colour: Rgb): string {
  return `#${colour.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}
