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

/** The colors of the theme, as values, since a saved plot has no CSS variables. */
export interface PlotColors {
  background: string;
  foreground: string;
  /** Axes and their words. */
  faint: string;
  grid: string;
  /** Rows that don't match the filters. */
  filteredOut: string;
  /** Rows that none of the colors stands for. */
  others: string;
  /** Marks that stand for no class. */
  mark: string;
  font: string;
}

/** Reads the theme's colors from the page. */
export function plotColors(): PlotColors {
  const style = getComputedStyle(document.body);
  const probe = document.createElement('canvas').getContext('2d');
  const value = (name: string, fallback: string): string => {
    const given = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || fallback;
    if (!probe) return fallback;
    probe.fillStyle = fallback;
    probe.fillStyle = given;
    // Opaque colors come back as #rrggbb, others as rgba(…).
    return probe.fillStyle;
  };
  return colorsOn(
    value('--vscode-editor-background', '#ffffff'),
    value('--vscode-editor-foreground', '#333333'),
    { mark: value('--vscode-charts-blue', '#3794ff'), font: style.fontFamily || 'sans-serif' },
  );
}

/** The colors and the font of a figure on paper, whatever the theme. */
export function paperColors(): PlotColors {
  const font = ['Arial', 'Helvetica', 'sans-serif'].join(', ');
  return colorsOn('#ffffff', '#1f1f1f', { mark: '#0072b2', font });
}

function colorsOn(
  background: string,
  foreground: string,
  { mark, font }: Pick<PlotColors, 'mark' | 'font'>,
): PlotColors {
  const behind = fromHex(background) ?? [255, 255, 255];
  const words = fromHex(foreground) ?? [51, 51, 51];
  return {
    background,
    foreground,
    faint: toHex(mix(behind, words, 0.72)),
    grid: toHex(mix(behind, words, 0.14)),
    filteredOut: toHex(mix(behind, words, 0.3)),
    others: toHex(mix(behind, words, 0.56)),
    mark: toHex(readable(fromHex(mark) ?? [55, 148, 255], behind)),
    font,
  };
}

/** Least contrast of a mark with what lies behind it (WCAG 2, graphics). */
const MIN_CONTRAST = 3;

/**
 * A group's color: the class palette's for light or other backgrounds, moved away from the
 * background until it stands out.
 */
export function groupColor(index: number, background: string): string {
  const behind = fromHex(background) ?? [255, 255, 255];
  const color = luminance(behind) > 0.5 ? classColorOnLight(index) : classColor(index);
  return toHex(readable(color, behind));
}

/** The color, darkened or lightened until it stands out from what is behind it. */
export function readable(color: Rgb, behind: Rgb): Rgb {
  const away: Rgb =
    contrast([255, 255, 255], behind) > contrast([0, 0, 0], behind) ? [255, 255, 255] : [0, 0, 0];
  let moved = color;
  for (let step = 0; step < 8 && contrast(moved, behind) < MIN_CONTRAST; step++)
    moved = mix(moved, away, 0.15);
  return moved;
}
