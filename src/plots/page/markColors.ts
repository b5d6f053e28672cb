import { scaleColor } from '../../pages/page/widgets/colorScale';
import { classColor } from '../../base/classPalette';
import { fromHex, mix, toHex, type Rgb } from '../../base/rgb';
import { contrast } from '../../pages/page/widgets/contrast';

/** Least contrast of a mark with what lies behind it (WCAG 2, graphics). */
const MIN_CONTRAST = 3;

/** Color of the group at a position: that of the class palette, moved away from the background until it stands out. */
export function groupColor(index: number, background: string): string {
  return toHex(readable(classColor(index), fromHex(background) ?? [255, 255, 255]));
}

/** A share 0…1 of a measurement's range as a color. */
export function measureColor(share: number): string {
  return toHex(scaleColor(Math.max(0, Math.min(1, share))));
}

/** The color, darkened or lightened until it stands out from what is behind it. */
export function readable(color: Rgb, behind: Rgb): Rgb {
  const away: Rgb =
    contrast([255, 255, 255], behind) > contrast([0, 0, 0], behind) ? [255, 255, 255] : [0, 0, 0];
  let moved = color;
  for (let step = 0; step < 8 && contrast(moved, behind) < MIN_CONTRAST; step++)
    moved = mix(moved, away, 0.15);
  return moved;
}
