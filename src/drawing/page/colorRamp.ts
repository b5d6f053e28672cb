import { toHex } from '../../base/colors';
import { scaleColor } from '../../pages/page/widgets/colorScale';
import { svg } from '../../pages/page/widgets/element';

const STEPS = 48;

/** The colors of a scale in a box, from the left, or upright from the bottom. */
export function colorRamp(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  isUpright = false,
): SVGElement {
  const step = (isUpright ? height : width) / STEPS;
  const bars = Array.from({ length: STEPS }, (_, at) => {
    const fill = rampColor((isUpright ? STEPS - 1 - at : at) / (STEPS - 1));
    // Each reaches below the next one, so that no background shows between them.
    const box = isUpright
      ? { x, y: y + at * step, width, height: step + 0.5 }
      : { x: x + at * step, y, width: step + 0.5, height };
    return svg('rect', { ...box, fill });
  });
  return svg('g', {}, ...bars);
}

/** The color for a share 0…1 of a scale, or the one of its nearer end. */
export function rampColor(share: number): string {
  return toHex(scaleColor(share));
}
