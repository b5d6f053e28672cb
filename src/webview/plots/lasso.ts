import { svg } from '../widgets/svg';
import type { DrawnScatter } from './scatterPlot';
import type { PlotColors } from './plotColors';

/** Pixels between two corners of a lasso. */
const STEP = 4;

/** Lets the user draw around points of a scatter plot; `onDone` gets the polygon in the columns' units: x0, y0, x1, y1, … */
export function drawLasso(
  { frame, toData }: DrawnScatter,
  colors: PlotColors,
  onDone: (polygon: number[]) => void,
): void {
  const { root } = frame;
  const line = svg('path', {
    'data-screen-only': true,
    fill: colors.foreground,
    'fill-opacity': 0.08,
    stroke: colors.foreground,
    'stroke-dasharray': '4 3',
  });
  let corners: [number, number][] | undefined;
  const place = (event: PointerEvent): [number, number] => {
    const { left, top, width } = root.getBoundingClientRect();
    const scale = width / root.width.baseVal.value || 1;
    return [(event.clientX - left) / scale, (event.clientY - top) / scale];
  };
  root.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    root.setPointerCapture(event.pointerId);
    corners = [place(event)];
    root.append(line);
  });
  root.addEventListener('pointermove', event => {
    const last = corners?.at(-1);
    if (!corners || !last) return;
    const [x, y] = place(event);
    if (Math.hypot(x - last[0], y - last[1]) < STEP) return;
    corners.push([x, y]);
    line.setAttribute('d', `M${corners.map(([cx, cy]) => `${cx.toFixed(1)} ${cy.toFixed(1)}`).join('L')}z`);
  });
  const end = (isComplete: boolean) => {
    const drawn = corners;
    corners = undefined;
    line.remove();
    line.removeAttribute('d');
    if (isComplete && drawn && drawn.length >= 3) onDone(drawn.flatMap(([x, y]) => toData(x, y)));
  };
  root.addEventListener('pointerup', () => end(true));
  root.addEventListener('pointercancel', () => end(false));
}
