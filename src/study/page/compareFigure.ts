import { svg } from '../../pages/page/widgets/element';
import { paperColors } from '../../drawing/page/plotColors';
import { figureFile } from '../../drawing/page/plotFile';
import { textWidth } from '../../drawing/page/plotFrame';
import { pngWithResolution } from '../../images/pngResolution';
import type { FigureSize } from './figureEdits';
import type { ShownComparison } from './compareModel';
import { type CompareWords, drawComparison } from './comparePlot';

/*
 * A comparison as a figure for print. It can be read without the page, and doesn't depend on the
 * window or its theme.
 */

/**
 * Widths of figures in pixels, with text of 11 and 15 pixels, and in millimeters. Printed at 340
 * pixels in 85 mm, text has 8 points. If conditions need more space, figures are up to `maxWidth`
 * wide, with text of 5.6 points.
 */
const SIZES: Readonly<Record<FigureSize, { minWidth: number; maxWidth: number; plot: number; mm: number }>> =
  {
    column: { minWidth: 340, maxWidth: 470, plot: 290, mm: 85 },
    columns: { minWidth: 720, maxWidth: 1000, plot: 360, mm: 180 },
    // As wide and high as a 16:9 slide in presentation programs.
    slide: { minWidth: 720, maxWidth: 1000, plot: 0, mm: 338.67 },
  };
const SLIDE_RATIO = 9 / 16;
const MIN_SLIDE_PLOT = 200;
/** Resolution of a PNG in print, and the width of a slide in pixels. */
const PRINT_DPI = 300;
const SLIDE_PIXELS = 1920;
const MM_PER_INCH = 25.4;
/** Widths of a condition, and of a difference beside the conditions, in pixels. */
const CONDITION_WIDTH = 90;
const EFFECT_WIDTH = 40;
const PADDING = 12;
const TITLE_SIZE = 15;
const CAPTION_SIZE = 11;
const CAPTION_LINE = 15;

/** Returns a function that measures the width of a text in pixels on this page. */
function textMeasure(): (text: string, font: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  return (text, font) => {
    if (!context) return textWidth(text);
    context.font = font;
    return context.measureText(text).width;
  };
}

/**
 * Converts a figure to PNG with its resolution. Rejects with a text for the log if the browser
 * creates no PNG.
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

/** Draws a figure: title, plot with legend, and caption. `effects`: see drawComparison. */
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
  const wantedWidth = 120 + groups.length * CONDITION_WIDTH + (effects ? pairs.length * EFFECT_WIDTH : 0);
  const width = Math.max(size.minWidth, Math.min(size.maxWidth, wantedWidth));
  const innerWidth = width - 2 * PADDING;
  const lines = (text: string, size: number, weight = '') =>
    wrapped(text, innerWidth, part => measure(part, `${weight} ${size}px ${colors.font}`.trim()));
  const titleLines = lines(words.title, TITLE_SIZE, 'bold');
  const captionLines = lines(caption, CAPTION_SIZE);
  const plotTop = PADDING + titleLines.length * (TITLE_SIZE + 5) + 6;
  const captionHeight = PADDING + captionLines.length * CAPTION_LINE + PADDING;
  // The remaining height of a slide, below the legend.
  const slideSpace = Math.max(MIN_SLIDE_PLOT, width * SLIDE_RATIO - plotTop - captionHeight);
  const drawPlot = (plotHeight: number) => {
    const look = { width: innerWidth, height: plotHeight, colors, isForExport: true };
    return drawComparison(comparison, words, look, effects).frame.root;
  };
  let plot = drawPlot(isSlide ? slideSpace : size.plot);
  const excessHeight = plot.height.baseVal.value - slideSpace;
  if (isSlide && excessHeight > 0) plot = drawPlot(Math.max(MIN_SLIDE_PLOT, slideSpace - excessHeight));
  const captionTop = plotTop + plot.height.baseVal.value + PADDING;
  const neededHeight = Math.ceil(captionTop + captionLines.length * CAPTION_LINE + PADDING);
  const height = isSlide ? Math.max(neededHeight, Math.round(width * SLIDE_RATIO)) : neededHeight;
  const mm = (pixels: number) => `${Number(((pixels * size.mm) / width).toFixed(2))}mm`;
  plot.removeAttribute('class');
  plot.setAttribute('x', String(PADDING));
  plot.setAttribute('y', String(plotTop));
  const line = (text: string, y: number, attributes: Record<string, string | number>) =>
    svg('text', { x: PADDING, y, fill: colors.foreground, ...attributes }, text);
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
    ...titleLines.map((text, at) =>
      line(text, PADDING + TITLE_SIZE + at * (TITLE_SIZE + 5), {
        'font-size': TITLE_SIZE,
        'font-weight': 'bold',
      }),
    ),
    plot,
    ...captionLines.map((text, at) => line(text, captionTop + CAPTION_SIZE + at * CAPTION_LINE, {})),
  );
}

/** Breaks a text into lines of a width; words that are too wide are split. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longerLine = line === '' ? word : `${line} ${word}`;
    if (measure(longerLine) <= width) {
      line = longerLine;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (measure(line) > width && line.length > 1) {
      // Finds the longest beginning that fits, by bisection, as words may have thousands of
      // letters.
      let [fittingLength, tooLong] = [1, line.length];
      while (tooLong - fittingLength > 1) {
        const middle = Math.floor((fittingLength + tooLong) / 2);
        if (measure(line.slice(0, middle)) <= width) fittingLength = middle;
        else tooLong = middle;
      }
      lines.push(line.slice(0, fittingLength));
      line = line.slice(fittingLength);
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}
