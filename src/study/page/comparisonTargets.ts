import { svg } from '../../pages/page/widgets/element';
import type { PlotColors } from '../../drawing/page/plotColors';
import { moveInList, type PlotAction, type PlotDrawing, type TipLine } from '../../drawing/page/plotDrawing';
import { textWidth } from '../../drawing/page/plotFrame';
import type { ComparedCondition, ComparedPair } from '../conditionComparison';
import type { ShownReplicate } from '../conditionRequests';
import type { FigureWord } from './figureEdits';
import type { SelectedPart } from './compareModel';

/*
 * Targets of the pointer in a comparison's plot, and their actions.
 */

/**
 * A part of the plot other than an object. A click selects the part, or edits the figure.
 */
export type PlotPart =
  | SelectedPart
  | { kind: 'nothing' }
  /** A text with its default; for the name of a condition, with the condition. */
  | { kind: 'word'; what: FigureWord; defaultText: string; condition?: string }
  /** The color of the replicates with a name. */
  | { kind: 'color'; name: readonly string[] };

/** Texts of tooltips. */
export interface TipWords {
  objectTip: (value: number, replicate: ShownReplicate | undefined) => TipLine[];
  replicateTip: (replicate: ShownReplicate) => TipLine[];
  conditionTip: (at: number) => TipLine[];
  pairTip: (pair: ComparedPair) => TipLine[];
  /** Hints that texts and colors of the figure can be edited. */
  wordTip: string;
  colorTip: string;
}

/** Maximum distance of the pointer from a mark, in pixels. */
const MAX_DISTANCE = { large: 10, small: 5 };

export interface TargetBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Targets of the pointer, in pixels. */
export type Target =
  | { kind: 'condition'; at: number; x: number; y: number; width: number }
  | { kind: 'replicate'; replicate: ShownReplicate; x: number; y: number }
  | { kind: 'effect'; pair: ComparedPair; x: number; y: number }
  | { kind: 'part'; part: PlotPart; element: SVGElement; box: TargetBox; x: number; y: number }
  | {
      kind: 'object';
      value: number;
      replicate: ShownReplicate | undefined;
      row: number | undefined;
      x: number;
      y: number;
    };

/** Minimum height of a text's target in pixels, so that it is easy to hit. */
const WORD_HEIGHT = 18;

/** The box of a text that is centered at x. */
export function around({
  x,
  top,
  lines,
  max,
}: {
  x: number;
  top: number;
  lines: readonly string[];
  max: number;
}): TargetBox {
  const width = Math.min(max, Math.max(24, ...lines.map(textWidth)) + 12);
  return { left: x - width / 2, top, width, height: WORD_HEIGHT };
}

/** The box of a text along a vertical axis that starts at `left`. */
export function sideways(words: string, left: number, { top, height }: TargetBox): TargetBox {
  const length = Math.min(height, textWidth(words) + 12);
  return { left, top: top + (height - length) / 2, width: WORD_HEIGHT, height: length };
}

export function wordTarget(
  element: SVGElement,
  part: { what: FigureWord; defaultText: string; condition?: string },
  box: TargetBox,
): Target {
  return partTarget(element, { kind: 'word', ...part }, box);
}

export function partTarget(element: SVGElement, part: PlotPart, box: TargetBox): Target {
  return { kind: 'part', part, element, box, x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

interface OutlineLook {
  colors: PlotColors;
  top: number;
  height: number;
}

/** The outline of a target. */
export function outline(target: Target | undefined, { colors, top, height }: OutlineLook): SVGElement {
  const style = { fill: 'none', stroke: colors.foreground, 'stroke-width': 1.5 };
  if (target?.kind === 'condition')
    return svg('rect', {
      ...style,
      'stroke-opacity': 0.4,
      x: target.x - target.width + 1,
      y: top,
      width: 2 * target.width - 2,
      height,
    });
  if (target?.kind === 'part') {
    const { left, top: upper, width, height: boxHeight } = target.box;
    return svg('rect', {
      ...style,
      'stroke-opacity': 0.6,
      x: left,
      y: upper,
      width,
      height: boxHeight,
      rx: 3,
    });
  }
  return svg('circle', {
    ...style,
    cx: target?.x ?? 0,
    cy: target?.y ?? 0,
    r: target?.kind === 'object' ? 5 : 9,
  });
}

interface TargetLook extends OutlineLook {
  groups: readonly ComparedCondition[];
}

/** The targets of pointer and keys in a plot, with their actions. */
export function plotTargets(
  targets: readonly Target[],
  words: TipWords,
  { groups, ...look }: TargetLook,
): PlotDrawing['targets'] {
  const { top, height } = look;
  // Arrow keys move between targets other than objects.
  const stops = targets.flatMap((target, at) => (target.kind === 'object' ? [] : [at]));
  const targetByRow = new Map(
    targets.flatMap((target, at) =>
      target.kind === 'object' && target.row !== undefined ? [[target.row, at]] : [],
    ),
  );
  const nearest = (x: number, y: number, kinds: readonly Target['kind'][], maxDistance: number) => {
    let nearestIndex: number | undefined;
    let minDistance = maxDistance;
    targets.forEach((target, at) => {
      if (!kinds.includes(target.kind)) return;
      const distance = Math.hypot(target.x - x, target.y - y);
      if (distance > minDistance) return;
      minDistance = distance;
      nearestIndex = at;
    });
    return nearestIndex;
  };
  const isIn = ({ left, top: upper, width, height: boxHeight }: TargetBox, x: number, y: number) =>
    x >= left && x <= left + width && y >= upper && y <= upper + boxHeight;
  /** The part that a click selects or edits. */
  const partOf = (target: Target | undefined): PlotPart | undefined => {
    if (target?.kind === 'part') return target.part;
    if (target?.kind === 'condition')
      return { kind: 'condition', condition: groups[target.at]?.condition ?? '' };
    if (target?.kind !== 'replicate' || target.replicate.name.length === 0) return undefined;
    const { condition, name } = target.replicate;
    return { kind: 'replicate', condition, name };
  };
  const action = (at: number): PlotAction | undefined => {
    const target = targets[at];
    if (target?.kind === 'object')
      return target.row === undefined ? undefined : { kind: 'select', row: target.row };
    const part = partOf(target);
    return part && { kind: 'part', part };
  };
  return {
    targetAt: (x, y) => {
      const nearestMark =
        nearest(x, y, ['replicate', 'effect'], MAX_DISTANCE.large) ??
        nearest(x, y, ['object'], MAX_DISTANCE.small);
      if (nearestMark !== undefined) return nearestMark;
      const word = targets.findIndex(target => target.kind === 'part' && isIn(target.box, x, y));
      if (word >= 0) return word;
      if (y < top || y > top + height) return undefined;
      const conditionIndex = targets.findIndex(
        target => target.kind === 'condition' && Math.abs(target.x - x) <= target.width,
      );
      return conditionIndex < 0 ? undefined : conditionIndex;
    },
    next: (from, key) => {
      const stopIndex = from === undefined ? undefined : stops.indexOf(from);
      const nextStop = moveInList(stopIndex === -1 ? undefined : stopIndex, key, stops.length, {
        down: true,
      });
      return nextStop === undefined ? undefined : stops[nextStop];
    },
    anchor: at => targets[at] ?? { x: 0, y: 0 },
    outline: at => outline(targets[at], look),
    tip: at => {
      const target = targets[at];
      switch (target?.kind) {
        case 'condition':
          return words.conditionTip(target.at);
        case 'replicate':
          return words.replicateTip(target.replicate);
        case 'effect':
          return words.pairTip(target.pair);
        case 'object':
          return words.objectTip(target.value, target.replicate);
        case 'part':
          return [
            {
              label: target.element.textContent ?? '',
              value: target.part.kind === 'color' ? words.colorTip : words.wordTip,
            },
          ];
        default:
          return [];
      }
    },
    action,
    rowOf: at => {
      const target = targets[at];
      return target?.kind === 'object' ? target.row : undefined;
    },
    targetOfRow: row => targetByRow.get(row),
    targetOf: wanted => {
      const text = JSON.stringify(wanted);
      return stops.find(at => JSON.stringify(action(at)) === text);
    },
  };
}
