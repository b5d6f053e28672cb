import { digitsBetween } from '../../../pages/page/digitsBetween';
import type { MasksText } from '../../../pages/page/pageText';
import { scaleColor } from '../../../pages/page/widgets/colorScale';
import { element } from '../../../pages/page/widgets/element';
import type { ShownScale } from '../colors/shownScale';

const STOPS = 16;
const WIDTH = 144;

/** Which color is which value: a bar in a corner of the image, with what it shows, its unit and its ends. */
export class ColorBar {
  readonly root = element('div', { class: 'stage-legend color-bar', role: 'img', hidden: true });
  private readonly name = element('span', { class: 'color-bar-name' });
  private readonly bar = element('div', { class: 'color-bar-line' });
  private readonly low = element('span');
  private readonly high = element('span');
  private shown: ShownScale | undefined;

  constructor(private readonly text: MasksText) {
    const ends = element('div', { class: 'color-bar-ends' }, this.low, this.high);
    this.root.append(this.name, this.bar, ends);
  }

  show(scale: ShownScale | undefined): void {
    this.shown = scale;
    this.root.hidden = scale === undefined;
    if (!scale) return;
    const [name, low, high] = this.wordsOf(scale);
    this.name.textContent = name;
    this.name.title = name;
    this.low.textContent = low;
    this.high.textContent = high;
    this.root.setAttribute('aria-label', this.text.get('colorBar', name, low, high));
    const colors = stops(scale).map(({ color }) => color);
    this.bar.style.background = `linear-gradient(90deg, ${colors.join(', ')})`;
  }

  /** Paints it into a saved view, its lower left corner at a point; `ratio` is the view's pixels per CSS pixel. */
  paint(context: OffscreenCanvasRenderingContext2D, left: number, bottom: number, ratio: number): void {
    const { shown } = this;
    if (!shown) return;
    const [name, low, high] = this.wordsOf(shown);
    const width = WIDTH * ratio;
    const line = 18 * ratio;
    context.save();
    context.fillStyle = 'rgb(0 0 0 / 0.65)';
    context.fillRect(left - 8 * ratio, bottom - 2.7 * line, width + 16 * ratio, 2.7 * line + 4 * ratio);
    const gradient = context.createLinearGradient(left, 0, left + width, 0);
    for (const { at, color } of stops(shown)) gradient.addColorStop(at, color);
    context.fillStyle = gradient;
    context.fillRect(left, bottom - 1.5 * line, width, 8 * ratio);
    context.fillStyle = 'white';
    context.font = `${12 * ratio}px sans-serif`;
    context.textBaseline = 'alphabetic';
    context.fillText(name, left, bottom - 1.85 * line, width);
    context.fillText(low, left, bottom - 0.15 * line);
    context.textAlign = 'right';
    context.fillText(high, left + width, bottom - 0.15 * line);
    context.restore();
  }

  /** What is shown, and the ends of its colors: at least or at most, where values go on beyond them. */
  private wordsOf({ of, range, min, max }: ShownScale): [name: string, low: string, high: string] {
    const { text } = this;
    const digits = digitsBetween(range.low, range.high);
    const number = (value: number) => text.significant(value, digits);
    const low = min < range.low ? text.get('atMost', number(range.low)) : number(range.low);
    const high = max > range.high ? text.get('atLeast', number(range.high)) : number(range.high);
    return [this.nameOf(of), low, high];
  }

  private nameOf(of: ShownScale['of']): string {
    const { text } = this;
    if (of.kind === 'column') return of.name || text.get('unnamedColumn', of.column + 1);
    if (of.kind !== 'measure') return '';
    return of.measure === 'area'
      ? text.get('nameInUnit', text.get('byArea'), 'px²')
      : text.get('nameInUnit', text.get('byPerimeter'), 'px');
  }
}

function stops({ colorMap }: ShownScale): { at: number; color: string }[] {
  return Array.from({ length: STOPS }, (_, step) => {
    const at = step / (STOPS - 1);
    return { at, color: `rgb(${scaleColor(at, colorMap).join(' ')})` };
  });
}
