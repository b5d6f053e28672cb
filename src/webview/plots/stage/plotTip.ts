import { element, fill } from '../../widgets/element';
import type { TipLine } from '../plotDrawing';

/** Pixels between a tip and what it points to. */
const AWAY = 14;

/** The small box that tells what is pointed at, beside it and within the plot. The pointer passes through it. */
export class PlotTip {
  readonly root = element('div', { class: 'plot-tip', 'aria-hidden': 'true', hidden: true });

  show(
    lines: readonly TipLine[],
    at: { x: number; y: number },
    within: { width: number; height: number },
  ): void {
    fill(this.root, ...lines.map(lineElement));
    this.root.hidden = lines.length === 0;
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const fitsRight = at.x + AWAY + width <= within.width;
    const fitsLeft = at.x - AWAY - width >= 0;
    const clamped = (value: number, most: number) => Math.max(0, Math.min(most, value));
    if (fitsRight || fitsLeft) {
      this.root.style.left = `${fitsRight ? at.x + AWAY : at.x - AWAY - width}px`;
      this.root.style.top = `${clamped(at.y - height / 2, within.height - height)}px`;
      return;
    }
    // No room on either side: above, else below.
    this.root.style.left = `${clamped(at.x - width / 2, within.width - width)}px`;
    this.root.style.top = `${at.y - AWAY - height >= 0 ? at.y - AWAY - height : at.y + AWAY}px`;
  }

  hide(): void {
    this.root.hidden = true;
  }
}

/** The lines of a tip in one sentence, for screen readers. */
export function spokenTip(lines: readonly TipLine[]): string {
  return lines.map(({ label, value }) => (value === undefined ? label : `${label} ${value}`)).join(', ');
}

function lineElement({ label, value, color }: TipLine): HTMLElement {
  if (value === undefined) return element('div', { class: 'tip-title' }, label);
  const dot = color !== undefined && element('span', { class: 'tip-dot' });
  if (dot) dot.style.background = color;
  return element(
    'div',
    { class: 'tip-line' },
    element('span', { class: 'tip-label' }, label),
    element('span', { class: 'tip-value' }, dot, value),
  );
}
