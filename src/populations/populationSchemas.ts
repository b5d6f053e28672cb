import * as v from 'valibot';
import type { AxisScales } from '../columns/axisScale';
import { column, namedFilterKinds } from '../columns/namedFilter';
import { axisScale, axisScales } from '../columns/viewSchemas';
import { type Gate, type GatePoint, MAX_NAME_LENGTH, type ThresholdOf } from './gate';
import { MAX_POPULATIONS, type Population } from './population';

/*
 * Schemas for populations and gates from programs, files and pages. In a file of their own, because
 * a table's page needs no schemas.
 */

const MAX_POINTS = 10_000;
const MAX_GATES = 1000;
const MAX_DEPTH = 32;

const finite = v.pipe(v.number(), v.finite());
const flag = v.optional(v.boolean());
const point = v.tuple([finite, finite]);
const end = v.nullish(v.union([finite, v.pipe(v.string(), v.regex(/^-?\d{1,308}$/))]));
const populationName = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(MAX_NAME_LENGTH));

const axes = { x: column, y: column, scales: v.optional(axisScales) };
const threshold = {
  column,
  of: v.picklist(['all', 'parent', 'image', 'reference']),
  reference: v.optional(v.strictObject({ column, value: v.string() })),
  side: v.picklist(['above', 'below']),
  frozen: v.optional(finite),
};

/** Whether points can be shown on the axes: a logarithmic one has only positive numbers. */
function areOnAxes(points: readonly GatePoint[], scales: AxisScales = ['linear', 'linear']): boolean {
  return points.every(gatePoint => gatePoint.every((value, at) => scales[at] !== 'log' || value > 0));
}

interface Thresholds {
  of: ThresholdOf;
  reference?: object | undefined;
  frozen?: number | undefined;
}

/** A gate with a reference must name it, unless its threshold is frozen. */
function hasReference({ of, reference, frozen }: Thresholds): boolean {
  return of !== 'reference' || reference !== undefined || frozen !== undefined;
}

/** Each kind of gate, by its properties. */
const gateKinds = {
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
    v.check(gateInput => hasReference(gateInput)),
  ),
  statistic: v.pipe(
    v.strictObject({
      kind: v.literal('statistic'),
      ...threshold,
      center: v.picklist(['mean', 'median']),
      spread: v.picklist(['sd', 'mad']),
      factor: finite,
    }),
    v.check(gateInput => hasReference(gateInput)),
  ),
  population: v.strictObject({ kind: v.literal('population'), name: populationName }),
};

const innerGates: v.GenericSchema<unknown, Gate[]> = v.pipe(
  v.array(v.lazy(() => anyGate)),
  v.minLength(1),
  v.maxLength(MAX_GATES),
);

const anyGate: v.GenericSchema<unknown, Gate> = v.union([
  ...Object.values(gateKinds),
  v.strictObject({ kind: v.picklist(['all', 'any']), gates: innerGates }),
  v.strictObject({ kind: v.literal('not'), gate: v.lazy(() => anyGate) }),
]);

const gate: v.GenericSchema<unknown, Gate> = v.pipe(
  // Checked first: endless nesting must not exhaust the stack.
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
  return inside.reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, depth + 1)), depth);
}

export const population: v.GenericSchema<unknown, Population> = v.strictObject({
  name: populationName,
  parent: v.optional(populationName),
  color: v.optional(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i))),
  hidden: v.optional(v.literal(true)),
  gate,
  formerName: v.optional(v.string()),
});

export const populations: v.GenericSchema<unknown, Population[]> = v.pipe(
  v.array(population),
  v.maxLength(MAX_POPULATIONS),
);
