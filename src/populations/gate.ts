import type { AxisScale, AxisScales } from '../columns/axisScale';
import type { RangeEnd, TextFilter } from '../columns/viewSpec';

/*
 * Gates: conditions for rows of a population. C names a column: by name, as stored and in programs,
 * or by position in a table. docs/measurements.md defines each gate.
 */

export type GatePoint = [x: number, y: number];

/** Which rows a threshold is computed from. All but `all` are rows of the parent. */
export type ThresholdOf = 'all' | 'parent' | 'image' | 'reference';

interface ThresholdGate<C> {
  column: C;
  of: ThresholdOf;
  /** For `of: 'reference'`: the rows with this text in this column. */
  reference?: { column: C; value: string } | undefined;
  /** `above` includes the threshold, `below` doesn't. */
  side: 'above' | 'below';
  /** The threshold, if it is fixed instead of computed. */
  frozen?: number | undefined;
}

export type PercentileGate<C> = ThresholdGate<C> & { kind: 'percentile'; percent: number };

export type StatisticGate<C> = ThresholdGate<C> & {
  kind: 'statistic';
  center: 'mean' | 'median';
  spread: 'sd' | 'mad';
  /** Number of spreads to add to the center. */
  factor: number;
};

export type GateOf<C> =
  /** Includes both ends, except with `toExcluded`. */
  | {
      kind: 'range';
      column: C;
      from?: RangeEnd | null | undefined;
      to?: RangeEnd | null | undefined;
      toExcluded?: boolean | undefined;
      scale?: AxisScale | undefined;
    }
  | { kind: 'rectangle'; x: C; y: C; from: GatePoint; to: GatePoint; scales?: AxisScales | undefined }
  /** The points are in the columns' units. The lines between them are straight on the scales. */
  | { kind: 'polygon'; x: C; y: C; points: GatePoint[]; scales?: AxisScales | undefined }
  /**
   * The center is in the columns' units. The half-axes are in units of the scales: powers of ten on
   * a logarithmic one.
   */
  | {
      kind: 'ellipse';
      x: C;
      y: C;
      center: GatePoint;
      axes: [GatePoint, GatePoint];
      scales?: AxisScales | undefined;
    }
  | TextFilter<C>
  | PercentileGate<C>
  | StatisticGate<C>
  /** The rows of another population. */
  | { kind: 'population'; name: string }
  | { kind: 'all' | 'any'; gates: GateOf<C>[] }
  | { kind: 'not'; gate: GateOf<C> };

/** A gate that names its columns; or gives their positions, if several have the same name. */
export type Gate = GateOf<string | number>;

/** Maximum length of a population's name. */
export const MAX_NAME_LENGTH = 100;

/** A gate that isn't made of other gates. */
export type SimpleGate<C> = Exclude<GateOf<C>, { kind: 'all' | 'any' | 'not' }>;

/** A gate in which each simple gate is replaced, in order. */
export function withSimpleGates<A, B>(
  of: GateOf<A>,
  replace: (simple: SimpleGate<A>) => GateOf<B>,
): GateOf<B> {
  switch (of.kind) {
    case 'all':
    case 'any':
      return { kind: of.kind, gates: of.gates.map(inner => withSimpleGates(inner, replace)) };
    case 'not':
      return { kind: 'not', gate: withSimpleGates(of.gate, replace) };
    default:
      return replace(of);
  }
}

/** The simple gates within a gate, in order. */
export function simpleGates<C>(of: GateOf<C>): SimpleGate<C>[] {
  const simple: SimpleGate<C>[] = [];
  withSimpleGates<C, C>(of, inner => (simple.push(inner), inner));
  return simple;
}

/** A copy of a gate with other keys for its columns. */
export function withColumns<A, B>(of: GateOf<A>, rename: (column: A) => B): GateOf<B> {
  return withSimpleGates(of, (simple): GateOf<B> => {
    if (simple.kind === 'population') return simple;
    if ('x' in simple) return { ...simple, x: rename(simple.x), y: rename(simple.y) };
    if (!('side' in simple)) return { ...simple, column: rename(simple.column) };
    const { reference } = simple;
    const renamed = reference && { column: rename(reference.column), value: reference.value };
    return { ...simple, column: rename(simple.column), reference: renamed };
  });
}

/** Whether a gate has a threshold for each image. */
export function isPerImage(gate: SimpleGate<unknown>): boolean {
  return 'side' in gate && gate.of === 'image' && gate.frozen === undefined;
}

/** Names of the populations that a gate refers to. */
export function populationsIn<C>(of: GateOf<C>): string[] {
  return simpleGates(of).flatMap(inner => (inner.kind === 'population' ? [inner.name] : []));
}

/** The columns whose numbers a gate needs. */
export function numericColumns<C>(of: GateOf<C>): C[] {
  return simpleGates(of).flatMap(simple => {
    if ('x' in simple) return [simple.x, simple.y];
    return simple.kind === 'range' || 'side' in simple ? [simple.column] : [];
  });
}
