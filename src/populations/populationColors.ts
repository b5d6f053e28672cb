import { classColor, classColorOnLight, toHex } from '../base/colors';
import type { Population } from './population';

/**
 * Colors of populations as #rrggbb, in order: the user's, else by position in the list, for a dark
 * or a light background. Hidden ones count too.
 */
export function populationColors(all: readonly Pick<Population, 'color'>[], isOnLight = false): string[] {
  const colorAt = isOnLight ? classColorOnLight : classColor;
  return all.map(({ color }, place) => color ?? toHex(colorAt(place)));
}
