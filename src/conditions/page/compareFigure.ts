import { svg } from '../../pages/page/widgets/element';
import { paperColors } from '../../plots/page/plotColors';
import { textWidth } from '../../plots/page/plotFrame';
import type { ShownComparison } from './compareModel';
import { type CompareWords, drawComparison } from './comparePlot';

/*
 * A comparison as a figure on paper: all that is needed to read it stands in it, and it doesn't depend on the window or its theme.
 */

/** Pixels of a figure, as many as points of a printed one. */
const MIN_WIDTH = 560;
const MAX_WIDTH = 1000;
const PLOT_HEIGHT = 360;
/** Pixels for a condition, and for a difference beside. */
const CONDITION = 150;
const EFFECT = 56;
const PADDING = 12;
const TITLE_SIZE = 15;
const CAPTION_SIZE = 11;
const CAPTION_LINE = 15;

/** The width of a text in pixels, as this page would show it. */
function textMeasure(): (text: string, font: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  return (text, font) => {
    if (!context) return textWidth(text);
    context.font = font;
    return context.measureText(text).width;
  };
}

/** Draws a figure: title, plot with its legend, and the caption without its title. `effects`: see drawComparison. */
export function compareFigure(
  comparison: ShownComparison,
  words: CompareWords,
  { caption, effects }: { caption: string; effects: boolean },
): SVGSVGElement {
  const measure = textMeasure();
  const { groups, pairs } = comparison.compared;
  const colors = paperColors();
  const wanted = 120 + groups.length * CONDITION + (effects ? pairs.length * EFFECT : 0);
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, wanted));
  const inner = width - 2 * PADDING;
  const look = { width: inner, height: PLOT_HEIGHT, colors, isWhole: true };
  const { root: plot } = drawComparison(comparison, words, look, effects).frame;
  const lines = (text: string, size: number, weight = '') =>
    wrapped(text, inner, part => measure(part, `${weight} ${size}px ${colors.font}`.trim()));
  const title = lines(words.title, TITLE_SIZE, 'bold');
  const plotTop = PADDING + title.length * (TITLE_SIZE + 5) + 6;
  const captionTop = plotTop + plot.height.baseVal.value + PADDING;
  const below = lines(caption, CAPTION_SIZE);
  const height = Math.ceil(captionTop + below.length * CAPTION_LINE + PADDING);
  plot.removeAttribute('class');
  plot.setAttribute('x', String(PADDING));
  plot.setAttribute('y', String(plotTop));
  const line = (text: string, y: number, more: Record<string, string | number>) =>
    svg('text', { x: PADDING, y, fill: colors.foreground, ...more }, text);
  return svg(
    'svg',
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': words.title,
      'font-family': colors.font,
      'font-size': CAPTION_SIZE,
    },
    svg('rect', { width, height, fill: colors.background }),
    ...title.map((text, at) =>
      line(text, PADDING + TITLE_SIZE + at * (TITLE_SIZE + 5), {
        'font-size': TITLE_SIZE,
        'font-weight': 'bold',
      }),
    ),
    plot,
    ...below.map((text, at) => line(text, captionTop + CAPTION_SIZE + at * CAPTION_LINE, {})),
  );
}

/** A text in lines of a width; a word that is wider is cut where it has to be. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (measure(line) > width && line.length > 1) {
      // As much as fits, by halves: words may have thousands of letters.
      let [fits, over] = [1, line.length];
      while (over - fits > 1) {
        const middle = Math.floor((fits + over) / 2);
        if (measure(line.slice(0, middle)) <= width) fits = middle;
        else over = middle;
      }
      lines.push(line.slice(0, fits));
      line = line.slice(fits);
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}
