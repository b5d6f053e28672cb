import { element } from '../../../pages/page/widgets/element';
import type { MasksText } from '../../../pages/page/pageText';
import { barLength, type BarLength } from './barLength';

const MAX_LENGTH = 120;

/** How long things are on the screen, in the corner of the image. */
export class ScaleBar {
  readonly root = element('div', { class: 'stage-legend scale-bar', role: 'img' });
  private readonly line = element('div', { class: 'scale-line' });
  private readonly words = element('span', { class: 'scale-words' });
  private shown: BarLength | undefined;

  constructor(private readonly text: MasksText) {
    this.root.append(this.words, this.line);
  }

  show(scale: number, pixelSize: number | undefined): void {
    const length = barLength(scale, pixelSize, MAX_LENGTH);
    this.shown = length;
    const words = this.wordsOf(length);
    this.line.style.width = `${length.width}px`;
    this.words.textContent = words;
    this.root.setAttribute('aria-label', this.text.get('scaleBar', words));
  }

  /** Paints it into the corner of a saved view and returns its right end; `ratio` is its pixels per CSS pixel. */
  paint(context: OffscreenCanvasRenderingContext2D, height: number, ratio: number): number {
    if (!this.shown) return 0;
    const [left, bottom] = [16 * ratio, height - 16 * ratio];
    const width = this.shown.width * ratio;
    context.save();
    context.font = `${12 * ratio}px sans-serif`;
    context.textAlign = 'center';
    context.lineJoin = 'round';
    for (const [color, wide] of [
      ['rgb(0 0 0 / 0.75)', 5],
      ['white', 2],
    ] as const) {
      context.strokeStyle = color;
      context.fillStyle = color;
      context.lineWidth = wide * ratio;
      context.beginPath();
      context.moveTo(left, bottom);
      context.lineTo(left + width, bottom);
      context.stroke();
      const words = this.wordsOf(this.shown);
      const at = [left + width / 2, bottom - 7 * ratio] as const;
      if (wide > 2) context.strokeText(words, ...at);
      else context.fillText(words, ...at);
    }
    context.restore();
    return left + width;
  }

  private wordsOf({ value, unit }: BarLength): string {
    return `${this.text.number(value, 3)} ${unit}`;
  }
}
