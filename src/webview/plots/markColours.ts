import { scaleColour } from '../masks/colourScale';
import { classColour, contrast, fromHex, mix, toHex, type Rgb } from '../masks/palette';

/** Least contrast of a mark with what lies behind it (WCAG 2, graphics). */
const LEAST_CONTRAST = 3;

/** Colour of the group at a position: that of the class palette, moved away from the background until it stands out. */
export function groupColour(index: number, background: string): string {
  return toHex(readable(classColour(index), fromHex(background) ?? [255, 255, 255]));
}

/** A share 0…1 of a measurement's range as a colour. */
export function measureColour(share: number): string {
  return toHex(scaleColour(Math.max(0, Math.min(1, share))));
}

/** The colour, darkened or lightened until it stands out from what is behind it. */
export function readable(colour: Rgb, behind: Rgb): Rgb {
  const away: Rgb =
    contrast([255, 255, 255], behind) > contrast([0, 0, 0], behind) ? [255, 255, 255] : [0, 0, 0];
  let moved = colour;
  for (let step = 0; step < 8 && contrast(moved, behind) < LEAST_CONTRAST; step++)
    moved = mix(moved, away, 0.15);
  return moved;
}
