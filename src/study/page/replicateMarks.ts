import { svg } from '../../pages/page/widgets/element';
import { groupColor, type PlotColors } from '../../drawing/page/plotColors';
import { FONT_SIZE, shortened, textWidth } from '../../drawing/page/plotFrame';
import type { ShownReplicate } from '../conditionRequests';

/*
 * Replicates in a plot: equal names have one color and shape, with a legend above the plot.
 */

/**
 * Identifies a replicate by its name, which has a text for each column of replicates; empty without
 * such columns.
 */
export function keyOf({ name }: Pick<ShownReplicate, 'name'>): string {
  return JSON.stringify(name);
}

/** The position of each name among all names; it determines color and shape. */
export function replicateNames(replicates: readonly ShownReplicate[]): Map<string, number> {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const names = [...new Set(replicates.filter(({ name }) => name.length > 0).map(keyOf))].sort(compare);
  return new Map(names.map((name, at) => [name, at]));
}

/** The color of a replicate: the user's, else by position. */
export type ReplicateColor = (index: number) => string;

/**
 * Colors of replicates on a background. `names` has the position of each name, `chosen` the user's
 * colors.
 */
export function replicateColors(
  names: ReadonlyMap<string, number>,
  chosen: Readonly<Record<string, string>>,
  background: string,
): ReplicateColor {
  const userColors = new Map<number, string>();
  for (const [key, index] of names) {
    const color = Object.hasOwn(chosen, key) ? chosen[key] : undefined;
    if (color !== undefined && /^#[\da-f]{6}$/i.test(color)) userColors.set(index, color);
  }
  return index => userColors.get(index) ?? groupColor(index, background);
}

/** The mark of a replicate; its position determines the shape. */
export function replicateMark(
  { index, x, y, r }: { index: number; x: number; y: number; r: number },
  { background }: Pick<PlotColors, 'background'>,
  fill: string,
): SVGElement {
  const style = {
    fill,
    stroke: background,
    'stroke-width': r < 5 ? 0.75 : 1.25,
  };
  const polygon = (corners: readonly [number, number][]) =>
    svg('path', {
      ...style,
      d: `M${corners.map(([dx, dy]) => `${(x + dx * r).toFixed(1)} ${(y + dy * r).toFixed(1)}`).join('L')}z`,
    });
  switch (index % 6) {
    case 0:
      return svg('circle', { ...style, cx: x.toFixed(1), cy: y.toFixed(1), r });
    case 1:
      return polygon([
        [-0.9, -0.9],
        [0.9, -0.9],
        [0.9, 0.9],
        [-0.9, 0.9],
      ]);
    case 2:
      return polygon([
        [0, -1.15],
        [1.1, 0.85],
        [-1.1, 0.85],
      ]);
    case 3:
      return polygon([
        [0, -1.25],
        [1.25, 0],
        [0, 1.25],
        [-1.25, 0],
      ]);
    case 4:
      return polygon([
        [0, 1.15],
        [1.1, -0.85],
        [-1.1, -0.85],
      ]);
    default:
      return polygon([
        [-0.4, -1.1],
        [0.4, -1.1],
        [0.4, -0.4],
        [1.1, -0.4],
        [1.1, 0.4],
        [0.4, 0.4],
        [0.4, 1.1],
        [-0.4, 1.1],
        [-0.4, 0.4],
        [-1.1, 0.4],
        [-1.1, -0.4],
        [-0.4, -0.4],
      ]);
  }
}

/** Height of a line of the legend. */
export const LEGEND_LINE = 18;
/** Width of a mark and of the space around a name, in pixels. */
const MARK_SPACE = 30;
/** Maximum width of a name in pixels. */
const MAX_NAME_WIDTH = 140;

interface LegendEntry {
  /** Position of the replicate's name; absent for the heading, and for the text "and 3 more". */
  index?: number;
  /** Set for the heading. */
  isHeading?: true;
  x: number;
  width: number;
  text: string;
}

/** The entries of a legend, line by line. */
type ReplicateLegend = readonly (readonly LegendEntry[])[];

interface LegendOptions {
  names: ReadonlyMap<string, number>;
  nameOf: (name: readonly string[]) => string;
  /** The heading, such as the name of the replicates' column. */
  heading: string;
  /** Text for the number of replicates that don't fit. */
  moreReplicates: (count: number) => string;
  width: number;
  maxLines: number;
}

/** Lays out a legend in lines of a given width. */
export function replicateLegend(options: LegendOptions): ReplicateLegend {
  const { names, nameOf, heading, moreReplicates, width, maxLines } = options;
  if (names.size === 0) return [];
  const title = heading === '' ? '' : shortened(heading, MAX_NAME_WIDTH);
  const lines: LegendEntry[][] = [[]];
  let x = 0;
  const add = (text: string, entryWidth: number, index?: number) => {
    lines.at(-1)?.push({ ...(index !== undefined && { index }), x, width: entryWidth, text });
    x += entryWidth;
  };
  if (title !== '') {
    x = textWidth(title) + 12;
    lines[0]?.push({ isHeading: true, x: 0, width: x, text: title });
  }
  let remaining = names.size;
  for (const [key, index] of names) {
    const text = shortened(nameOf(JSON.parse(key) as string[]), MAX_NAME_WIDTH);
    const entryWidth = textWidth(text) + MARK_SPACE;
    const moreText = moreReplicates(remaining);
    const isLast = lines.length >= maxLines;
    // The last line needs space for the text "and 3 more", unless all names fit.
    if (isLast && x + entryWidth + (remaining > 1 ? textWidth(moreText) + MARK_SPACE : 0) > width) {
      add(moreText, textWidth(moreText) + MARK_SPACE);
      break;
    }
    if (x + entryWidth > width && x > 0) {
      lines.push([]);
      x = 0;
    }
    add(text, entryWidth, index);
    remaining--;
  }
  return lines;
}

/** The right end of the longest line. */
export function legendEnd(lines: ReplicateLegend): number {
  return Math.max(0, ...lines.flat().map(({ x, width }) => x + width));
}

/** A drawn entry of a legend: the element of its text, and its box in pixels. */
export interface DrawnEntry {
  index: number | undefined;
  isHeading: boolean;
  label: SVGElement;
  box: { left: number; top: number; width: number; height: number };
}

export function drawLegend(
  root: SVGElement,
  lines: ReplicateLegend,
  colors: PlotColors,
  colorOf: ReplicateColor,
): DrawnEntry[] {
  return lines.flatMap((entries, line) => {
    const y = 10 + line * LEGEND_LINE;
    return entries.map(({ index, isHeading = false, x, width, text }): DrawnEntry => {
      const fill = index === undefined ? colors.faint : colors.foreground;
      const textX = x + (index === undefined ? 10 : 26);
      const label = svg('text', { y: y + FONT_SIZE * 0.35, fill, x: textX }, text);
      if (index !== undefined)
        root.append(replicateMark({ index, x: x + 16, y, r: 5 }, colors, colorOf(index)));
      root.append(label);
      const box = { left: x + 6, top: y - 9, width: width - 4, height: 18 };
      return { index, isHeading, label, box };
    });
  });
}
