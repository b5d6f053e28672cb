import {
  classColor,
  classColorOnLight,
  contrast,
  fromHex,
  luminance,
  mix,
  type Rgb,
  toHex,
} from '../../base/colors';

/** Colors of the theme as values: a saved plot has no CSS variables. */
export interface PlotColors {
  background: string;
  foreground: string;
  /** For axes and their texts. */
  faint: string;
  grid: string;
  /** For rows that don't match the filters. */
  filteredOut: string;
  /** For rows in no group of the colors. */
  others: string;
  /** For marks without a class. */
  mark: string;
  font: string;
}

/** Reads the theme's colors from the page. */
export function plotColors(): PlotColors {
  const style = getComputedStyle(document.body);
  const probe = document.createElement('canvas').getContext('2d');
  const themeColor = (name: string, fallback: string): string => {
    const themeValue = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || fallback;
    if (!probe) return fallback;
    probe.fillStyle = fallback;
    probe.fillStyle = themeValue;
    // Canvas returns opaque colors as #rrggbb, others as rgba(…).
    return probe.fillStyle;
  };
  return colorsOn(
    themeColor('--vscode-editor-background', '#ffffff'),
    themeColor('--vscode-editor-foreground', '#333333'),
    { mark: themeColor('--vscode-charts-blue', '#3794ff'), font: style.fontFamily || 'sans-serif' },
  );
}

/** Colors and font of a figure on paper, regardless of the theme. */
export function paperColors(): PlotColors {
  const font = ['Arial', 'Helvetica', 'sans-serif'].join(', ');
  return colorsOn('#ffffff', '#1f1f1f', { mark: '#0072b2', font });
}

function colorsOn(
  background: string,
  foreground: string,
  { mark, font }: Pick<PlotColors, 'mark' | 'font'>,
): PlotColors {
  const backgroundRgb = fromHex(background) ?? [255, 255, 255];
  const foregroundRgb = fromHex(foreground) ?? [51, 51, 51];
  return {
    background,
    foreground,
    faint: toHex(mix(backgroundRgb, foregroundRgb, 0.72)),
    grid: toHex(mix(backgroundRgb, foregroundRgb, 0.14)),
    filteredOut: toHex(mix(backgroundRgb, foregroundRgb, 0.3)),
    others: toHex(mix(backgroundRgb, foregroundRgb, 0.56)),
    mark: toHex(readable(fromHex(mark) ?? [55, 148, 255], backgroundRgb)),
    font,
  };
}

/** Minimum contrast of a mark with its background (WCAG 2, graphics). */
const MIN_CONTRAST = 3;

/**
 * A group's color: from the class palette for the background, moved away from the background until
 * the contrast is sufficient.
 */
export function groupColor(index: number, background: string): string {
  const backgroundRgb = fromHex(background) ?? [255, 255, 255];
  const color = luminance(backgroundRgb) > 0.5 ? classColorOnLight(index) : classColor(index);
  return toHex(readable(color, backgroundRgb));
}

/** Darkens or lightens a color until it has enough contrast with its background. */
export function readable(color: Rgb, background: Rgb): Rgb {
  const target: Rgb =
    contrast([255, 255, 255], background) > contrast([0, 0, 0], background) ? [255, 255, 255] : [0, 0, 0];
  let adjusted = color;
  for (let step = 0; step < 8 && contrast(adjusted, background) < MIN_CONTRAST; step++)
    adjusted = mix(adjusted, target, 0.15);
  return adjusted;
}
