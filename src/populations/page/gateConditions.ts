import type { TableColumn } from '../../columns/tableSummary';
import type { Gate, ThresholdOf } from '../gate';
import { columnKey, columnsNamed } from '../population';

/* A gate as a form shows it: conditions, negated or not, all or any of which must hold. */

export interface Condition {
  gate: Gate;
  isNot: boolean;
}

export interface Conditions {
  join: 'all' | 'any';
  conditions: readonly Condition[];
}

/** The kinds of gates that a form edits. Others are drawn, or made of several gates. */
export const conditionKinds = [
  'range',
  'values',
  'text',
  'missing',
  'percentile',
  'statistic',
  'population',
] as const;

export type ConditionKind = (typeof conditionKinds)[number];

/** Whether a form has fields for a gate; it describes other gates in words. */
export function isEditableInForm(gate: Gate): gate is Extract<Gate, { kind: ConditionKind }> {
  // The form can't exclude texts. "Not" differs: only `exclude` matches missing cells.
  if (gate.kind === 'text' && gate.exclude === true) return false;
  return (conditionKinds as readonly string[]).includes(gate.kind);
}

/** A gate as conditions. */
export function conditionsOf(gate: Gate): Conditions {
  const join = gate.kind === 'any' ? 'any' : 'all';
  const gates = gate.kind === 'all' || gate.kind === 'any' ? gate.gates : [gate];
  const conditions = gates.map(inner =>
    inner.kind === 'not' ? { gate: inner.gate, isNot: true } : { gate: inner, isNot: false },
  );
  return { join, conditions };
}

/** The gate of conditions; undefined without any. */
export function gateOf({ join, conditions }: Conditions): Gate | undefined {
  const gates = conditions.map(({ gate, isNot }): Gate => (isNot ? { kind: 'not', gate } : gate));
  const [first, ...others] = gates;
  return others.length === 0 ? first : { kind: join, gates };
}

/** A new condition of a kind, on the wanted column if the kind allows it, else on a likely one. */
export function conditionOf(
  kind: ConditionKind,
  columns: readonly TableColumn[],
  { column: wantedColumn, population = '' }: { column?: string | number | undefined; population?: string },
): Gate {
  const needsNumbers = kind === 'range' || kind === 'percentile' || kind === 'statistic';
  const candidates = columns.filter(column => !needsNumbers || column.kind === 'number');
  const [sameColumn] = wantedColumn === undefined ? [] : columnsNamed(candidates, wantedColumn);
  const isText = kind === 'values' || kind === 'text';
  const likely = candidates.find(
    ({ kind: columnKind, name }) =>
      isText === (columnKind === 'text') &&
      !/\b(id|number|index|label|origin|image|file)$/i.test(name.trim()),
  );
  const column = columnKey(columns, (sameColumn ?? likely ?? candidates[0])?.index ?? 0);
  switch (kind) {
    case 'range':
      return { kind, column, from: 0 };
    case 'values':
      return { kind, column, values: [] };
    case 'text':
      return { kind, column, match: 'contains', text: '' };
    case 'missing':
      return { kind, column, missing: false };
    case 'percentile':
      return { kind, column, of: 'all', percent: 90, side: 'above' };
    case 'statistic':
      return { kind, column, of: 'all', center: 'mean', spread: 'sd', factor: 2, side: 'above' };
    case 'population':
      return { kind, name: population };
  }
}

type Threshold = Extract<Gate, { kind: 'percentile' | 'statistic' }>;

/** The same threshold, computed from other rows. A new reference has no value yet. */
export function thresholdOfRows(
  gate: Threshold,
  of: ThresholdOf,
  columns: readonly TableColumn[],
): Threshold {
  const computed = { ...gate, of, frozen: undefined };
  if (of !== 'reference') return { ...computed, reference: undefined };
  const textColumn =
    columns.find(({ kind, ofImage }) => kind === 'text' && ofImage) ??
    columns.find(({ kind }) => kind === 'text');
  return {
    ...computed,
    reference: gate.reference ?? { column: columnKey(columns, textColumn?.index ?? 0), value: '' },
  };
}
