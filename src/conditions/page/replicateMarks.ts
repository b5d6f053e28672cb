import { svg } from '../../pages/page/widgets/element';
import { groupColor, type PlotColors } from '../../plots/page/plotColors';
import { FONT_SIZE, shortened, textWidth } from '../../plots/page/plotFrame';
import type { ShownReplicate } from '../comparisonRequests';

/*
 * Replicates in a plot: those of one name have one color and shape, which a legend above the plot tells.
 */

export function keyOf({ name }: Pick<ShownReplicate, 'name'>): string {
  return JSON.stringify(name);
}

/** The position of each name among all of them: replicates of one name have one color and shape. */
export function replicateNames(replicates: readonly ShownReplicate[]): Map<string, number> {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const names = [...new Set(replicates.filter(({ name }) => name.length > 0).map(keyOf))].sort(compare);
  return new Map(names.map((name, at) => [name, at]));
}

/** The mark of a replicate: color and shape go with its position. */
export function replicateMark(
  { index, x, y, r }: { index: number; x: number; y: number; r: number },
  { background }: Pick<PlotColors, 'background'>,
): SVGElement {
  const style = {
    fill: groupColor(index, background),
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

/** The height of a line of a legend. */
export const LEGEND_LINE = 18;
/** Pixels for a mark and around a name. */
const MARK_ROOM = 30;
/** Pixels of a name. */
const MAX_WIDTH = 140;

interface LegendEntry {
  /** Position of the replicate's name; absent for words about others. */
  index?: number;
  x: number;
  width: number;
  text: string;
}

/** Which replicate has which mark, in lines. */
export type ReplicateLegend = readonly (readonly LegendEntry[])[];

interface LegendOptions {
  names: ReadonlyMap<string, number>;
  nameOf: (name: readonly string[]) => string;
  /** What replicates are, such as the name of their column. */
  heading: string;
  /** Says how many others there are where not all have room. */
  others: (count: number) => string;
  width: number;
  maxLines: number;
}

/** Lays out a legend in lines of a width. */
export function replicateLegend(options: LegendOptions): ReplicateLegend {
  const { names, nameOf, heading, others, width, maxLines } = options;
  if (names.size === 0) return [];
  const title = heading === '' ? '' : shortened(heading, MAX_WIDTH);
  const lines: LegendEntry[][] = [[]];
  let x = 0;
  const add = (text: string, room: number, index?: number) => {
    lines.at(-1)?.push({ ...(index !== undefined && { index }), x, width: room, text });
    x += room;
  };
  if (title !== '') add(title, textWidth(title) + 12);
  let left = names.size;
  for (const [key, index] of names) {
    const text = shortened(nameOf(JSON.parse(key) as string[]), MAX_WIDTH);
    const room = textWidth(text) + MARK_ROOM;
    const more = others(left);
    const isLast = lines.length >= maxLines;
    // What says that there are others needs room in the last line, unless this is the last one.
    if (isLast && x + room + (left > 1 ? textWidth(more) + MARK_ROOM : 0) > width) {
      add(more, textWidth(more) + MARK_ROOM);
      break;
    }
    if (x + room > width && x > 0) {
      lines.push([]);
      x = 0;
    }
    add(text, room, index);
    left--;
  }
  return lines;
}

/** Where the longest line ends. */
export function legendEnd(lines: ReplicateLegend): number {
  return Math.max(0, ...lines.flat().map(({ x, width }) => x + width));
}

export function drawLegend(root: SVGElement, lines: ReplicateLegend, colors: PlotColors): void {
  lines.forEach((entries, line) => {
    const y = 10 + line * LEGEND_LINE;
    for (const { index, x, text } of entries) {
      const words = { y: y + FONT_SIZE * 0.35, fill: index === undefined ? colors.faint : colors.foreground };
      if (index === undefined) {
        root.append(svg('text', { ...words, x: x + 10 }, text));
        continue;
      }
      root.append(
        replicateMark({ index, x: x + 16, y, r: 5 }, colors),
        svg('text', { ...words, x: x + 26 }, text),
      );
    }
  });
}
