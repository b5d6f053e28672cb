import { svg } from './svg';

/** A lasso, which codicons don't have: a loop with its rope, in the size and color of a codicon. */
export function lassoIcon(): SVGSVGElement {
  const line = { fill: 'none', stroke: 'currentColor', 'stroke-linecap': 'round' };
  return svg(
    'svg',
    { class: 'drawn-icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    svg('ellipse', { ...line, cx: 8.5, cy: 5.5, rx: 6, ry: 4 }),
    svg('circle', { ...line, cx: 4.5, cy: 9.5, r: 1.5 }),
    svg('path', { ...line, d: 'M4.5 11c.4 1.6-.2 2.7-1.7 3.5' }),
  );
}
