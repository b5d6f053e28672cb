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
export const MAX_NAME = 100;

/** A copy of a gate with other keys for its columns. */
export function withColumns<A, B>(of: GateOf<A>, rename: (column: A) => B): GateOf<B> {
  switch (of.kind) {
    case 'population':
      return of;
    case 'all':
    case 'any':
      return { kind: of.kind, gates: of.gates.map(inner => withColumns(inner, rename)) };
    case 'not':
      return { kind: 'not', gate: withColumns(of.gate, rename) };
    case 'rectangle':
    case 'polygon':
    case 'ellipse':
      return { ...of, x: rename(of.x), y: rename(of.y) };
    case 'percentile':
    case 'statistic': {
      const { reference } = of;
      const renamed = reference && { column: rename(reference.column), value: reference.value };
      return { ...of, column: rename(of.column), reference: renamed };
    }
    default:
      return { ...of, column: rename(of.column) };
  }
}

/** The gates within a gate that aren't made of other gates, in order. */
export function simpleGates<C>(of: GateOf<C>): Exclude<GateOf<C>, { kind: 'all' | 'any' | 'not' }>[] {
  switch (of.kind) {
    case 'all':
    case 'any':
      return of.gates.flatMap(simpleGates);
    case 'not':
      return simpleGates(of.gate);
    default:
      return [of];
  }
}

/** Names of the populations that a gate refers to. */
export function populationsIn<C>(of: GateOf<C>): string[] {
  return simpleGates(of).flatMap(inner => (inner.kind === 'population' ? [inner.name] : []));
}

/** The columns whose numbers a gate needs. */
export function numericColumns<C>(of: GateOf<C>): C[] {
  return simpleGates(of).flatMap(inner => {
    switch (inner.kind) {
      case 'range':
      case 'percentile':
      case 'statistic':
        return [inner.column];
      case 'rectangle':
      case 'polygon':
      case 'ellipse':
        return [inner.x, inner.y];
      default:
        return [];
    }
  });
}
