import { columnName } from '../../pages/page/columnName';
import { t } from '../../pages/page/l10n';
import type { TableColumn } from '../../columns/tableSummary';
import { numbersIn, type ShapeGate, withNumbersIn } from './gateShapes';

/** A number of a gate that a form shows. */
interface GateNumber {
  label: string;
  /** Null for an open end of an interval. */
  value: number | null;
  /** Set for ends of an interval, which may be open. */
  isOptional?: boolean;
}

/** The numbers of a gate that can be edited. */
export function numbersOf(gate: ShapeGate, columns: readonly TableColumn[]): GateNumber[] {
  const labels = labelsOf(gate, columns);
  const isOptional = gate.kind === 'range';
  return numbersIn(gate).map((value, at) => ({ label: labels[at] ?? '', value, isOptional }));
}

function labelsOf(gate: ShapeGate, columns: readonly TableColumn[]): string[] {
  if (!('x' in gate)) {
    const name = columnName(columns, gate.column);
    return gate.kind === 'range' ? [t('{0} from', name), t('{0} to', name)] : [t('{0}, threshold', name)];
  }
  const names = [columnName(columns, gate.x), columnName(columns, gate.y)];
  switch (gate.kind) {
    case 'rectangle':
      return names.flatMap(name => [t('{0} from', name), t('{0} to', name)]);
    case 'ellipse':
      return [
        ...names.map(name => t('Center, {0}', name)),
        ...names.map(name => t('First half-axis, {0}', name)),
        ...names.map(name => t('Second half-axis, {0}', name)),
      ];
    case 'polygon':
      return gate.points.flatMap((_, at) => names.map(name => t('Corner {0}, {1}', at + 1, name)));
  }
}

/** The gate with these numbers, in the order of `numbersOf`; or why they aren't valid. */
export function withNumbers(
  gate: ShapeGate,
  numbers: readonly (number | null)[],
): { gate: ShapeGate } | { problem: string } {
  const [first = null, second = null, third = null, fourth = null] = numbers;
  if (gate.kind === 'range' && first === null && second === null)
    return { problem: t('Enter one of the two ends.') };
  const areReversed = (from: number | null, to: number | null) => from !== null && to !== null && from > to;
  const hasEnds = gate.kind === 'range' || gate.kind === 'rectangle';
  if (hasEnds && (areReversed(first, second) || areReversed(third, fourth)))
    return { problem: t('The first number is above the second.') };
  const changed = withNumbersIn(gate, numbers);
  const points =
    changed.kind === 'polygon' ? changed.points : changed.kind === 'ellipse' ? [changed.center] : [];
  const scales = 'x' in changed ? changed.scales : undefined;
  if (points.some(point => point.some((value, at) => scales?.[at] === 'log' && !(value > 0))))
    return { problem: t('On a logarithmic axis all numbers are above 0.') };
  if (changed.kind === 'ellipse') {
    const [a, b] = changed.axes;
    if (a[0] * b[1] === a[1] * b[0])
      return { problem: t('The half-axes are on one line, so the ellipse would be empty.') };
  }
  return { gate: changed };
}
