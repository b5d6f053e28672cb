import { classColor, classColorOnLight, toHex } from '../base/colors';
import type { Population } from './population';

/**
 * Their colors as #rrggbb, in their order: those that a person gave, others by the place in the
 * list, for a dark or a light background. Whether one is hidden makes no difference.
 */
export function populationColors(all: readonly Pick<Population, 'color'>[], isOnLight = false): string[] {
  const colorAt = isOnLight ? classColorOnLight : classColor;
  return all.map(({ color }, place) => color ?? toHex(colorAt(place)));
}
