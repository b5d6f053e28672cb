import { svg } from '../../pages/page/widgets/element';
import type { PlotColors } from '../../plots/page/plotColors';
import { moveInList, type PlotAction, type PlotDrawing, type TipLine } from '../../plots/page/plotDrawing';
import type { ComparedPair } from '../comparison';
import type { ShownReplicate } from '../comparisonRequests';
import type { ShownComparison } from './compareModel';

/** What tips say. */
export interface TipWords {
  objectTip: (value: number, replicate: ShownReplicate | undefined) => TipLine[];
  replicateTip: (replicate: ShownReplicate) => TipLine[];
  conditionTip: (at: number) => TipLine[];
  pairTip: (pair: ComparedPair) => TipLine[];
}

/** Pixels from which a mark can be pointed at. */
const NEAR = { large: 10, small: 5 };

/** What can be pointed at, in pixels. */
export type Target =
  | { kind: 'condition'; at: number; x: number; y: number; width: number }
  | { kind: 'replicate'; replicate: ShownReplicate; x: number; y: number }
  | { kind: 'effect'; pair: ComparedPair; x: number; y: number }
  | {
      kind: 'object';
      value: number;
      replicate: ShownReplicate | undefined;
      row: number | undefined;
      x: number;
      y: number;
    };

interface TargetLook {
  colors: PlotColors;
  top: number;
  height: number;
  params: ShownComparison['params'];
  conditions: readonly string[];
}

/** What pointer and keys find in a plot, and what they do there. */
export function plotTargets(
  targets: readonly Target[],
  words: TipWords,
  { colors, top, height, params, conditions }: TargetLook,
): PlotDrawing['targets'] {
  // With keys one moves among what is large.
  const stops = targets.flatMap((target, at) => (target.kind === 'object' ? [] : [at]));
  const byRow = new Map(
    targets.flatMap((target, at) =>
      target.kind === 'object' && target.row !== undefined ? [[target.row, at]] : [],
    ),
  );
  const nearest = (x: number, y: number, kinds: readonly Target['kind'][], reach: number) => {
    let found: number | undefined;
    let least = reach;
    targets.forEach((target, at) => {
      if (!kinds.includes(target.kind)) return;
      const distance = Math.hypot(target.x - x, target.y - y);
      if (distance > least) return;
      least = distance;
      found = at;
    });
    return found;
  };
  const action = (at: number): PlotAction | undefined => {
    const target = targets[at];
    if (target?.kind === 'object')
      return target.row === undefined ? undefined : { kind: 'select', row: target.row };
    if (target?.kind === 'condition') {
      return { kind: 'group', column: params.condition, key: conditions[target.at] ?? '' };
    }
    const [column] = params.replicate;
    if (target?.kind !== 'replicate' || column === undefined) return undefined;
    const keys = [target.replicate.condition, ...target.replicate.name];
    return {
      kind: 'groups',
      groups: [params.condition, ...params.replicate].map((each, place) => ({
        column: each,
        key: keys[place] ?? '',
      })),
    };
  };
  return {
    at: (x, y) => {
      const near =
        nearest(x, y, ['replicate', 'effect'], NEAR.large) ?? nearest(x, y, ['object'], NEAR.small);
      if (near !== undefined) return near;
      if (y < top || y > top + height) return undefined;
      const found = targets.findIndex(
        target => target.kind === 'condition' && Math.abs(target.x - x) <= target.width,
      );
      return found < 0 ? undefined : found;
    },
    next: (from, key) => {
      const place = from === undefined ? undefined : stops.indexOf(from);
      const moved = moveInList(place === -1 ? undefined : place, key, stops.length, { down: true });
      return moved === undefined ? undefined : stops[moved];
    },
    anchor: at => targets[at] ?? { x: 0, y: 0 },
    outline: at => {
      const target = targets[at];
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
      return svg('circle', {
        ...style,
        cx: target?.x ?? 0,
        cy: target?.y ?? 0,
        r: target?.kind === 'object' ? 5 : 9,
      });
    },
    tip: at => {
      const target = targets[at];
      if (target?.kind === 'condition') return words.conditionTip(target.at);
      if (target?.kind === 'replicate') return words.replicateTip(target.replicate);
      if (target?.kind === 'effect') return words.pairTip(target.pair);
      return target ? words.objectTip(target.value, target.replicate) : [];
    },
    action,
    rowOf: at => {
      const target = targets[at];
      return target?.kind === 'object' ? target.row : undefined;
    },
    targetOfRow: row => byRow.get(row),
    targetOf: wanted => {
      const text = JSON.stringify(wanted);
      const found = stops.find(at => JSON.stringify(action(at)) === text);
      return found;
    },
  };
}
