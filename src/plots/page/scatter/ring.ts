import { svg } from '../../../pages/page/widgets/svg';
import type { PlotColors } from '../plotColors';

/** A ring around a point, in two colors so that it stands out from points and from the background. */
export function ring(
  { x, y }: { x: number; y: number },
  { radius, width }: { radius: number; width: number },
  { background, foreground }: PlotColors,
): SVGElement {
  const circle = { cx: x, cy: y, r: radius };
  return svg(
    'g',
    { fill: 'none' },
    svg('circle', { ...circle, stroke: background, 'stroke-width': width + 2 }),
    svg('circle', { ...circle, stroke: foreground, 'stroke-width': width }),
  );
}
