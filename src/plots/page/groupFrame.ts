import type { ScaleLinear } from 'd3-scale';
import type { TableGroup } from '../../columns/columnStatistics';
import { CommonParts } from '../../pages/page/widgets/commonParts';
import { svg } from '../../pages/page/widgets/element';
import { type DrawnPlot, moveInList, type PlotLook, type TipLine } from './plotDrawing';
import {
  bottomAxis,
  FONT_SIZE,
  niceScale,
  plotFrame,
  type PlotFrame,
  textWidth,
  windowScale,
} from './plotFrame';

/** Height in pixels of the line of one group. */
export const LINE_HEIGHT = 24;
const MAX_LABEL_WIDTH = 148;

export interface GroupWords {
  label: string;
  axis: string;
  /** The name of the group of rows without a value. */
  missing: string;
  tip: (group: ShownGroup) => TipLine[];
}

export interface GroupPlot {
  groups: readonly ShownGroup[];
  /** The column that groups the rows. */
  by: number;
  /** The column that is measured; null where rows are counted. */
  measure: number | null;
  words: GroupWords;
  look: PlotLook;
}

/** Pixels between a mark and the edges of its line: of all rows, and of matching rows above them or alone. */
export function markInsets(hasAll: boolean): { all: number; shown: number } {
  return { all: 3, shown: hasAll ? 6 : 4 };
}

/** The ends of a scale with these values: round numbers, with some room around a single value. */
export function wholeRange(low: number, high: number): [number, number] {
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  const [from = 0, to = 1] = (isKnown ? niceScale(low, high, 0, 1) : niceScale(0, 1, 0, 1)).domain();
  return [from, to];
}

/** The frame of a plot with one line per group, and the scale of its values from the least to the greatest. */
export function groupFrame(
  groups: readonly ShownGroup[],
  [low, high]: [number, number],
  { words, look: { size, colors, window } }: GroupPlot,
): { frame: PlotFrame; x: ScaleLinear<number, number> } {
  const names = groups.map(group => nameOf(group, words));
  const parts = CommonParts.of(groups.flatMap(({ key }) => key ?? []));
  const maxLeft = Math.min(MAX_LABEL_WIDTH, size.width * 0.36);
  const left = Math.ceil(Math.min(maxLeft, Math.max(40, ...names.map(textWidth)) + 16));
  const outer = { width: size.width, height: Math.max(2, groups.length) * LINE_HEIGHT + 52 };
  const frame = plotFrame(outer, { top: 8, right: 24, bottom: 44, left }, colors, words.label);
  const x = windowScale(window?.x ?? wholeRange(low, high), 0, frame.box.width);
  bottomAxis(frame, x, words.axis, colors);
  groups.forEach(({ shown }, line) => {
    const label = svg(
      'text',
      {
        x: left - 8,
        y: frame.box.top + (line + 0.5) * LINE_HEIGHT + FONT_SIZE * 0.35,
        'text-anchor': 'end',
        fill: shown ? colors.foreground : colors.faint,
      },
      parts.cut(names[line] ?? '', text => textWidth(text) <= left - 12, 'end'),
    );
    frame.root.append(label);
  });
  return { frame, x };
}

/** The plot of a frame: each line is a target that filters to its group. */
export function drawnGroups(
  groups: readonly ShownGroup[],
  frame: PlotFrame,
  { words, by, look: { size, colors } }: GroupPlot,
): DrawnPlot {
  const { box } = frame;
  return {
    frame,
    targets: {
      at: (_x, y) => {
        const line = Math.floor((y - box.top) / LINE_HEIGHT);
        return line >= 0 && line < groups.length ? line : undefined;
      },
      next: (from, key) => moveInList(from, key, groups.length, { down: true }),
      anchor: line => ({ x: box.left + box.width / 2, y: box.top + (line + 0.5) * LINE_HEIGHT }),
      outline: line =>
        svg('rect', {
          x: 1,
          y: box.top + line * LINE_HEIGHT + 0.5,
          width: size.width - 2,
          height: LINE_HEIGHT - 1,
          fill: colors.foreground,
          'fill-opacity': 0.08,
          stroke: colors.foreground,
          'stroke-opacity': 0.6,
        }),
      tip: line => {
        const group = groups[line];
        return group ? [{ label: nameOf(group, words) }, ...words.tip(group)] : [];
      },
      action: line => {
        const group = groups[line];
        return group && { kind: 'group', column: by, key: group.key };
      },
      targetOf: action => {
        if (action.kind !== 'group' || action.column !== by) return undefined;
        const line = groups.findIndex(({ key }) => key === action.key);
        return line < 0 ? undefined : line;
      },
    },
    clear: { kind: 'clearGroup', column: by },
  };
}

function nameOf({ key }: ShownGroup, words: GroupWords): string {
  return key ?? words.missing;
}

/** A group of rows in a plot. */
export interface ShownGroup {
  key: string | null;
  /** Its rows that match the filters; undefined where none do. */
  shown: TableGroup | undefined;
  /** All its rows; undefined where the plot has no filters. */
  all: TableGroup | undefined;
  /** Its position by number of rows. Classes of a scatter plot have the same order, so both use the same colors. */
  rank: number;
}

/**
 * The groups of a plot, at most `limit`. They have the order of all rows, so that filters don't move them. Where there are
 * too many, those without matching rows are left out first.
 */
export function shownGroups(
  shown: readonly TableGroup[],
  all: readonly TableGroup[] | undefined,
  limit: number,
): ShownGroup[] {
  if (!all) {
    const ranks = ranksOf(shown);
    return shown
      .slice(0, limit)
      .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: ranks.get(group) ?? 0 }));
  }
  const matching = new Map(shown.map(group => [keyOf(group), group]));
  const ranks = ranksOf(all);
  const known = all.map(group => ({
    key: keyOf(group),
    shown: matching.get(keyOf(group)),
    all: group,
    rank: ranks.get(group) ?? 0,
  }));
  const knownKeys = new Set(all.map(keyOf));
  // `all` is limited too: a group of later rows may be missing there.
  const others = shown
    .filter(group => !knownKeys.has(keyOf(group)))
    .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: all.length }));
  const groups: ShownGroup[] = [...known, ...others];
  const excess = Math.max(0, groups.length - limit);
  const unmatched = groups.filter(group => !group.shown);
  const removed = new Set(unmatched.slice(Math.max(0, unmatched.length - excess)));
  return groups.filter(group => !removed.has(group)).slice(0, limit);
}

function keyOf({ keys }: TableGroup): string | null {
  return keys[0] ?? null;
}

/** The positions of groups by falling number of rows. */
function ranksOf(groups: readonly TableGroup[]): Map<TableGroup, number> {
  return new Map([...groups].sort((a, b) => b.rows - a.rows).map((group, rank) => [group, rank]));
}
