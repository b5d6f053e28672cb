import { classColor, classColorOnLight, toHex } from '../base/colors';
import type { Population } from './population';

/**
 * Colors of populations as #rrggbb, in order: the color that the user set, or else the color of the
 * position in the list, for a dark or a light background. Hidden populations have a position too.
 */
export function populationColors(all: readonly Pick<Population, 'color'>[], isOnLight = false): string[] {
  const colorAt = isOnLight ? classColorOnLight : classColor;
  return all.map(({ color }, place) => color ?? toHex(colorAt(place)));
}
