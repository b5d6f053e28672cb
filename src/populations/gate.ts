import type { AxisScale, AxisScales } from '../columns/axisScale';
import type { RangeEnd } from '../columns/viewSpec';

/*
 * Gates: conditions by which rows are in a population. C is how a column is named: by its name, as
 * a gate is stored and as programs write it, or by its position in a table. What each means is in
 * docs/measurements.md.
 */

export type GatePoint = [x: number, y: number];

/**
 * Which rows a threshold is computed of: `parent`, `image` and `reference` are of the parent's
 * rows.
 */
export type ThresholdOf = 'all' | 'parent' | 'image' | 'reference';

interface ThresholdGate<C> {
  column: C;
  of: ThresholdOf;
  /** Of `reference`: its rows are those with this text in this column. */
  reference?: { column: C; value: string } | undefined;
  /** `above` is from the threshold on, `below` up to it, without it. */
  side: 'above' | 'below';
  /** The threshold, which is no longer computed. */
  frozen?: number | undefined;
}

export type PercentileGate<C> = ThresholdGate<C> & { kind: 'percentile'; percent: number };

export type StatisticGate<C> = ThresholdGate<C> & {
  kind: 'statistic';
  center: 'mean' | 'median';
  spread: 'sd' | 'mad';
  /** How often the spread is added to the center. */
  factor: number;
};

export type GateOf<C> =
  /** Both ends are in it, but that of `toExcluded`. */
  | {
      kind: 'range';
      column: C;
      from?: RangeEnd | null | undefined;
      to?: RangeEnd | null | undefined;
      toExcluded?: boolean | undefined;
      scale?: AxisScale | undefined;
    }
  | { kind: 'rectangle'; x: C; y: C; from: GatePoint; to: GatePoint; scales?: AxisScales | undefined }
  /** Lines between its points, in the columns' units, are straight on its scales. */
  | { kind: 'polygon'; x: C; y: C; points: GatePoint[]; scales?: AxisScales | undefined }
  /**
   * The center is in the columns' units, the half-axes are on the axes: on a logarithmic one in
   * powers of ten.
   */
  | {
      kind: 'ellipse';
      x: C;
      y: C;
      center: GatePoint;
      axes: [GatePoint, GatePoint];
      scales?: AxisScales | undefined;
    }
  | {
      kind: 'values';
      column: C;
      values: string[];
      missing?: boolean | undefined;
      exclude?: boolean | undefined;
    }
  | {
      kind: 'text';
      column: C;
      match: 'contains' | 'equals' | 'regex';
      text: string;
      caseSensitive?: boolean | undefined;
      exclude?: boolean | undefined;
    }
  | { kind: 'missing'; column: C; missing: boolean }
  | PercentileGate<C>
  | StatisticGate<C>
  /** Rows of another population. */
  | { kind: 'population'; name: string }
  | { kind: 'all' | 'any'; gates: GateOf<C>[] }
  | { kind: 'not'; gate: GateOf<C> };

/** A gate by the names of columns, or by their positions where several have a name. */
export type Gate = GateOf<string | number>;

export const MAX_NAME = 100;
/** A gate with its columns named otherwise. */
export function withColumns<A, B>(of: GateOf<A>, rename: (column: A) => B): GateOf<B> {
  switch (of.kind) {
    case 'population':
      return of;
    case 'all':
    case 'any':
      return { kind: of.kind, gates: of.gates.map(each => withColumns(each, rename)) };
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

/** The gates in a gate that hold no others, in their order. */
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

/** The populations that a gate names. */
export function populationsIn<C>(of: GateOf<C>): string[] {
  return simpleGates(of).flatMap(each => (each.kind === 'population' ? [each.name] : []));
}

/** The columns of which a gate needs numbers. */
export function numericColumns<C>(of: GateOf<C>): C[] {
  return simpleGates(of).flatMap(each => {
    switch (each.kind) {
      case 'range':
      case 'percentile':
      case 'statistic':
        return [each.column];
      case 'rectangle':
      case 'polygon':
      case 'ellipse':
        return [each.x, each.y];
      default:
        return [];
    }
  });
}
