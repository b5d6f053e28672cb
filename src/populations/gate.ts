import * as v from 'valibot';
import type { AxisScale, AxisScales } from '../columns/axisScale';
import { column, namedFilterKinds } from '../columns/namedFilter';
import { axisScale, axisScales } from '../columns/viewSchemas';
import type { RangeEnd } from '../columns/viewSpec';

/*
 * Gates: conditions by which rows are in a population. C is how a column is named: by its name, as a gate is stored and as programs
 * write it, or by its position in a table. What each means is in docs/measurements.md.
 */

export type GatePoint = [x: number, y: number];

/** Which rows a threshold is computed of: `parent`, `image` and `reference` are of the parent's rows. */
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
  /** The center is in the columns' units, the half-axes are on the axes: on a logarithmic one in powers of ten. */
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
const MAX_POINTS = 10_000;
const MAX_GATES = 1000;
const MAX_DEPTH = 32;

const finite = v.pipe(v.number(), v.finite());
const flag = v.optional(v.boolean());
const point = v.tuple([finite, finite]);
const end = v.nullish(v.union([finite, v.pipe(v.string(), v.regex(/^-?\d{1,308}$/))]));
export const populationName = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(MAX_NAME));

const axes = { x: column, y: column, scales: v.optional(axisScales) };
const threshold = {
  column,
  of: v.picklist(['all', 'parent', 'image', 'reference']),
  reference: v.optional(v.strictObject({ column, value: v.string() })),
  side: v.picklist(['above', 'below']),
  frozen: v.optional(finite),
};

/** Whether points have a place on the axes. */
function areOnAxes(points: readonly GatePoint[], scales: AxisScales = ['linear', 'linear']): boolean {
  return points.every(each => each.every((value, at) => scales[at] !== 'log' || value > 0));
}

interface Thresholds {
  of: ThresholdOf;
  reference?: object | undefined;
  frozen?: number | undefined;
}

/** A reference has to be named, unless nothing is computed of it. */
function hasReference({ of, reference, frozen }: Thresholds): boolean {
  return of !== 'reference' || reference !== undefined || frozen !== undefined;
}

/** Each kind of gate, by what it has. */
export const gateKinds = {
  range: v.pipe(
    v.strictObject({
      kind: v.literal('range'),
      column,
      from: end,
      to: end,
      toExcluded: flag,
      scale: v.optional(axisScale),
    }),
    v.check(({ from, to }) => (from ?? to ?? null) !== null),
  ),
  rectangle: v.pipe(
    v.strictObject({ kind: v.literal('rectangle'), ...axes, from: point, to: point }),
    v.check(({ from, to }) => from[0] <= to[0] && from[1] <= to[1]),
  ),
  polygon: v.pipe(
    v.strictObject({
      kind: v.literal('polygon'),
      ...axes,
      points: v.pipe(v.array(point), v.minLength(3), v.maxLength(MAX_POINTS)),
    }),
    v.check(({ points, scales }) => areOnAxes(points, scales)),
  ),
  ellipse: v.pipe(
    v.strictObject({ kind: v.literal('ellipse'), ...axes, center: point, axes: v.tuple([point, point]) }),
    v.check(({ center, scales, axes: [a, b] }) => areOnAxes([center], scales) && a[0] * b[1] !== a[1] * b[0]),
  ),
  values: namedFilterKinds.values,
  text: namedFilterKinds.text,
  missing: namedFilterKinds.missing,
  percentile: v.pipe(
    v.strictObject({
      kind: v.literal('percentile'),
      ...threshold,
      percent: v.pipe(finite, v.minValue(0), v.maxValue(100)),
    }),
    v.check(of => hasReference(of)),
  ),
  statistic: v.pipe(
    v.strictObject({
      kind: v.literal('statistic'),
      ...threshold,
      center: v.picklist(['mean', 'median']),
      spread: v.picklist(['sd', 'mad']),
      factor: finite,
    }),
    v.check(of => hasReference(of)),
  ),
  population: v.strictObject({ kind: v.literal('population'), name: populationName }),
};

const several: v.GenericSchema<unknown, Gate[]> = v.pipe(
  v.array(v.lazy(() => anyGate)),
  v.minLength(1),
  v.maxLength(MAX_GATES),
);

const anyGate: v.GenericSchema<unknown, Gate> = v.union([
  ...Object.values(gateKinds),
  v.strictObject({ kind: v.picklist(['all', 'any']), gates: several }),
  v.strictObject({ kind: v.literal('not'), gate: v.lazy(() => anyGate) }),
]);

/** A gate of a program, of a file or of a page. */
export const gate: v.GenericSchema<unknown, Gate> = v.pipe(
  // Looked at first: what is nested without end must not use up the stack.
  v.pipe(
    v.unknown(),
    v.check(value => depthOf(value) <= MAX_DEPTH),
  ),
  anyGate,
);

function depthOf(value: unknown, depth = 0): number {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return depth;
  const { gates, gate: one } = value as { gates?: unknown; gate?: unknown };
  const inside: unknown[] = [...(Array.isArray(gates) ? (gates as unknown[]) : []), one];
  return inside.reduce<number>((most, each) => Math.max(most, depthOf(each, depth + 1)), depth);
}

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
