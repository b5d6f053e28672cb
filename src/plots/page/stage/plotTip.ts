import { element, fill } from '../../../pages/page/widgets/element';
import type { TipLine } from '../plotDrawing';

/** Pixels between a tooltip and its anchor. */
const GAP = 14;

/** A tooltip for what is pointed at: beside it, within the plot, and not in the way of the pointer. */
export class PlotTip {
  readonly root = element('div', { class: 'plot-tip', 'aria-hidden': 'true', hidden: true });

  show(
    lines: readonly TipLine[],
    anchor: { x: number; y: number },
    room: { width: number; height: number },
  ): void {
    fill(this.root, ...lines.map(lineElement));
    this.root.hidden = lines.length === 0;
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const fitsRight = anchor.x + GAP + width <= room.width;
    const fitsLeft = anchor.x - GAP - width >= 0;
    const clamp = (value: number, max: number) => Math.max(0, Math.min(max, value));
    if (fitsRight || fitsLeft) {
      this.root.style.left = `${fitsRight ? anchor.x + GAP : anchor.x - GAP - width}px`;
      this.root.style.top = `${clamp(anchor.y - height / 2, room.height - height)}px`;
      return;
    }
    // Without room on either side it is above, else below.
    this.root.style.left = `${clamp(anchor.x - width / 2, room.width - width)}px`;
    this.root.style.top = `${anchor.y - GAP - height >= 0 ? anchor.y - GAP - height : anchor.y + GAP}px`;
  }

  hide(): void {
    this.root.hidden = true;
  }
}

/** The lines of a tooltip in one sentence, for screen readers. */
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
