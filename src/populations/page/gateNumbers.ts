import { columnName } from '../../pages/page/columnName';
import { t } from '../../pages/page/l10n';
import type { TableColumn } from '../../columns/tableSummary';
import type { GatePoint } from '../gate';
import type { ShapeGate } from './gateShapes';

/** A number of a gate that a form shows. */
interface GateNumber {
  label: string;
  /** Null for an open end of an interval. */
  value: number | null;
  /** Set for ends of an interval, which may be open. */
  isOptional?: true;
}

/** The numbers of a gate that can be edited. */
export function numbersOf(gate: ShapeGate, columns: readonly TableColumn[]): GateNumber[] {
  if (gate.kind === 'percentile' || gate.kind === 'statistic')
    return [{ label: t('{0}, threshold', columnName(columns, gate.column)), value: gate.frozen }];
  if (gate.kind === 'range') {
    const name = columnName(columns, gate.column);
    const end = (value: number | string | null | undefined) =>
      value === null || value === undefined ? null : Number(value);
    return [
      { label: t('{0} from', name), value: end(gate.from), isOptional: true },
      { label: t('{0} to', name), value: end(gate.to), isOptional: true },
    ];
  }
  const [x, y] = [columnName(columns, gate.x), columnName(columns, gate.y)];
  switch (gate.kind) {
    case 'rectangle':
      return [
        { label: t('{0} from', x), value: gate.from[0] },
        { label: t('{0} to', x), value: gate.to[0] },
        { label: t('{0} from', y), value: gate.from[1] },
        { label: t('{0} to', y), value: gate.to[1] },
      ];
    case 'ellipse': {
      const [[ax, ay], [bx, by]] = gate.axes;
      return [
        { label: t('Center, {0}', x), value: gate.center[0] },
        { label: t('Center, {0}', y), value: gate.center[1] },
        { label: t('First half-axis, {0}', x), value: ax },
        { label: t('First half-axis, {0}', y), value: ay },
        { label: t('Second half-axis, {0}', x), value: bx },
        { label: t('Second half-axis, {0}', y), value: by },
      ];
    }
    case 'polygon':
      return gate.points.flatMap(([px, py], at) => [
        { label: t('Corner {0}, {1}', at + 1, x), value: px },
        { label: t('Corner {0}, {1}', at + 1, y), value: py },
      ]);
  }
}

/** The gate with these numbers, in the order of `numbersOf`; or why they aren't valid. */
export function withNumbers(
  gate: ShapeGate,
  numbers: readonly (number | null)[],
): { gate: ShapeGate } | { problem: string } {
  if (gate.kind === 'percentile' || gate.kind === 'statistic')
    return { gate: { ...gate, frozen: numbers[0] ?? gate.frozen } };
  if (gate.kind === 'range') {
    const [from = null, to = null] = numbers;
    if (from === null && to === null) return { problem: t('Enter one of the two ends.') };
    if (from !== null && to !== null && from > to)
      return { problem: t('The first number is above the second.') };
    // Unchanged numbers keep all of their digits.
    const same = (before: number | string | null | undefined, now: number | null) =>
      (before ?? null) !== null && now === Number(before) ? before : now;
    return { gate: { ...gate, from: same(gate.from, from), to: same(gate.to, to) } };
  }
  const points: GatePoint[] = Array.from({ length: numbers.length / 2 }, (_, at) => [
    numbers[2 * at] ?? 0,
    numbers[2 * at + 1] ?? 0,
  ]);
  const [first = [0, 0], second = [0, 0], third = [0, 0]] = points;
  if (gate.kind === 'rectangle') {
    const [[left, right], [low, high]] = [first, second];
    if (left > right || low > high) return { problem: t('The first number is above the second.') };
    return { gate: { ...gate, from: [left, low], to: [right, high] } };
  }
  const placed = gate.kind === 'polygon' ? points : [first];
  if (placed.some(point => point.some((value, at) => gate.scales?.[at] === 'log' && !(value > 0))))
    return { problem: t('On a logarithmic axis all numbers are above 0.') };
  if (gate.kind === 'polygon') return { gate: { ...gate, points } };
  if (second[0] * third[1] === second[1] * third[0])
    return { problem: t('The half-axes are on one line, and the ellipse would hold nothing.') };
  return { gate: { ...gate, center: first, axes: [second, third] } };
}
