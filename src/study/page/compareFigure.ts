import { svg } from '../../pages/page/widgets/element';
import { paperColors } from '../../drawing/page/plotColors';
import { figureFile } from '../../drawing/page/plotFile';
import { textWidth } from '../../drawing/page/plotFrame';
import { pngWithResolution } from '../../images/pngResolution';
import type { FigureSize } from './figureEdits';
import type { ShownComparison } from './compareModel';
import { type CompareWords, drawComparison } from './comparePlot';

/*
 * A comparison as a figure on paper: all that is needed to read it stands in it, and it doesn't
 * depend on the window or its theme.
 */

/**
 * How wide figures are drawn, in pixels, with words of 11 and 15 of them, and how wide they then
 * are. Printed, words of 340 pixels in 85 mm have 8 points; where conditions need more room, they
 * are drawn up to `most` wide, which leaves them 5.6.
 */
const SIZES: Readonly<Record<FigureSize, { least: number; most: number; plot: number; mm: number }>> = {
  column: { least: 340, most: 470, plot: 290, mm: 85 },
  columns: { least: 720, most: 1000, plot: 360, mm: 180 },
  // As wide as a slide of 16:9 in presentation programs, and as high.
  slide: { least: 720, most: 1000, plot: 0, mm: 338.67 },
};
const SLIDE_SHAPE = 9 / 16;
const MIN_SLIDE_PLOT = 200;
/** Pixels of PNG per inch in print, and of a slide's width. */
const PRINT_DPI = 300;
const SLIDE_PIXELS = 1920;
const MM_PER_INCH = 25.4;
/** Pixels for a condition, and for a difference beside, where there is a column of them. */
const CONDITION = 90;
const EFFECT = 40;
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

/**
 * A figure as PNG with its resolution. If the browser makes no PNG, fails with a text for the log.
 */
export async function figureImage(
  figure: SVGSVGElement,
  size: FigureSize,
  type: 'png' | 'svg',
): Promise<Blob> {
  if (type === 'svg') return new Blob([await figureFile(figure, type)], { type: 'image/svg+xml' });
  const { mm } = SIZES[size];
  const pixels = size === 'slide' ? SLIDE_PIXELS : (mm / MM_PER_INCH) * PRINT_DPI;
  const png = await figureFile(figure, type, pixels);
  const perMeter = (Math.round(pixels) / mm) * 1000;
  return new Blob([pngWithResolution(new Uint8Array(png), Math.round(perMeter))], { type: 'image/png' });
}

/**
 * Draws a figure: title, plot with legend, and caption without its title. `effects`: see
 * drawComparison.
 */
export function compareFigure(
  comparison: ShownComparison,
  words: CompareWords,
  { caption, effects }: { caption: string; effects: boolean },
): SVGSVGElement {
  const measure = textMeasure();
  const { groups, pairs } = comparison.compared;
  const colors = paperColors();
  const size = SIZES[comparison.figure.size ?? 'columns'];
  const isSlide = size === SIZES.slide;
  const wanted = 120 + groups.length * CONDITION + (effects ? pairs.length * EFFECT : 0);
  const width = Math.max(size.least, Math.min(size.most, wanted));
  const inner = width - 2 * PADDING;
  const lines = (text: string, size: number, weight = '') =>
    wrapped(text, inner, part => measure(part, `${weight} ${size}px ${colors.font}`.trim()));
  const title = lines(words.title, TITLE_SIZE, 'bold');
  const below = lines(caption, CAPTION_SIZE);
  const plotTop = PADDING + title.length * (TITLE_SIZE + 5) + 6;
  const ofCaption = PADDING + below.length * CAPTION_LINE + PADDING;
  // The rest of a slide; the legend is above it.
  const room = Math.max(MIN_SLIDE_PLOT, width * SLIDE_SHAPE - plotTop - ofCaption);
  const drawn = (high: number) => {
    const look = { width: inner, height: high, colors, isForExport: true };
    return drawComparison(comparison, words, look, effects).frame.root;
  };
  let plot = drawn(isSlide ? room : size.plot);
  const over = plot.height.baseVal.value - room;
  if (isSlide && over > 0) plot = drawn(Math.max(MIN_SLIDE_PLOT, room - over));
  const captionTop = plotTop + plot.height.baseVal.value + PADDING;
  const needed = Math.ceil(captionTop + below.length * CAPTION_LINE + PADDING);
  const height = isSlide ? Math.max(needed, Math.round(width * SLIDE_SHAPE)) : needed;
  const mm = (pixels: number) => `${Number(((pixels * size.mm) / width).toFixed(2))}mm`;
  plot.removeAttribute('class');
  plot.setAttribute('x', String(PADDING));
  plot.setAttribute('y', String(plotTop));
  const line = (text: string, y: number, more: Record<string, string | number>) =>
    svg('text', { x: PADDING, y, fill: colors.foreground, ...more }, text);
  return svg(
    'svg',
    {
      width: mm(width),
      height: mm(height),
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
