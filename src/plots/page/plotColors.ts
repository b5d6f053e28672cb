import { fromHex, mix, toHex } from '../../base/rgb';
import { readable } from './markColors';

/** The colors of the theme, as values, since a saved plot has no CSS variables. */
export interface PlotColors {
  background: string;
  foreground: string;
  /** Axes and their words. */
  faint: string;
  grid: string;
  /** Rows that don't match the filters. */
  filteredOut: string;
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
  const background = value('--vscode-editor-background', '#ffffff');
  const foreground = value('--vscode-editor-foreground', '#333333');
  const behind = fromHex(background) ?? [255, 255, 255];
  const words = fromHex(foreground) ?? [51, 51, 51];
  return {
    background,
    foreground,
    faint: toHex(mix(behind, words, 0.72)),
    grid: toHex(mix(behind, words, 0.14)),
    filteredOut: toHex(mix(behind, words, 0.3)),
    mark: toHex(readable(fromHex(value('--vscode-charts-blue', '#3794ff')) ?? [55, 148, 255], behind)),
    font: style.fontFamily || 'sans-serif',
  };
}
