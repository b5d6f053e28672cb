import type { ComputedColumn } from '../columns/computedColumn';
import { type Checked, type CheckedFormula, checkFormula, type NamedColumn } from './checkedFormula';
import { columnsNamed } from './columnReferences';
import { type FormulaNode, type FormulaProblem, type FormulaSpan, parseFormula } from './formula';

/*
 * The computed columns of a table: each may use those of the table and the others, but not itself.
 */

/** A computed column: its formula, or why it can't be computed. */
export type CheckedColumn = ComputedColumn & Checked;

/**
 * Checks computed columns against a table's other columns. The positions in `uses` count `columns`,
 * and then the computed ones in order.
 */
export function checkColumns(
  computed: readonly ComputedColumn[],
  columns: readonly NamedColumn[],
): CheckedColumn[] {
  const named = computed.map(({ formula }) => columnsNamed(formula));
  const placeOf = new Map(computed.map(({ name }, at) => [name, at]));
  const usedBy = named.map(names => names.flatMap(name => placeOf.get(name) ?? []));
  const checked: (Checked | undefined)[] = computed.map((_, at) => {
    const cycle = cycleFrom(at, usedBy);
    if (!cycle) return undefined;
    const names = cycle.map(place => computed[place]?.name ?? '');
    return { problem: cycleProblem(computed[at]?.formula ?? '', names) };
  });
  const typeOf = (at: number): NamedColumn => {
    const { name } = computed[at] as ComputedColumn;
    const result = (checked[at] ??= check(at));
    return 'checked' in result
      ? { name, type: result.checked.type }
      : { name, type: 'number', isInvalid: true };
  };
  const check = (at: number): Checked => {
    const used = usedBy[at] ?? [];
    // Those that it doesn't use needn't be checked before it.
    const others = computed.map(({ name }, other): NamedColumn => {
      return used.includes(other) ? typeOf(other) : { name, type: 'number' };
    });
    return checkFormula(computed[at]?.formula ?? '', [...columns, ...others]);
  };
  return computed.map((column, at) => ({ ...column, ...(checked[at] ??= check(at)) }));
}

/**
 * The columns through which a column uses itself, beginning and ending with it; undefined without.
 */
function cycleFrom(from: number, uses: readonly (readonly number[])[]): number[] | undefined {
  const seen = new Set<number>();
  const search = (at: number, path: readonly number[]): number[] | undefined => {
    for (const next of uses[at] ?? []) {
      if (next === from) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const cycle = search(next, [...path, next]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  return search(from, [from]);
}

/** At the place where the formula names the next column of the cycle. */
function cycleProblem(formula: string, names: string[]): FormulaProblem {
  const parsed = parseFormula(formula);
  const [, next = ''] = names;
  const span = ('node' in parsed && spanOfColumn(parsed.node, next)) || { start: 0, end: formula.length };
  const fault = names.length > 2 ? ({ kind: 'cycle', names } as const) : ({ kind: 'uses-itself' } as const);
  return { ...fault, ...span };
}

function spanOfColumn(node: FormulaNode, name: string): FormulaSpan | undefined {
  if (node.kind === 'column' && node.name === name) return { start: node.start, end: node.end };
  if (node.kind !== 'call') return undefined;
  for (const arg of node.args) {
    const span = spanOfColumn(arg, name);
    if (span) return span;
  }
  return undefined;
}

/** Facts about a table's column for formulas. */
export function namedColumn({
  name,
  kind,
  computed,
}: {
  name: string;
  kind: 'number' | 'text';
  computed?: { type: CheckedFormula['type']; isInvalid?: true };
}): NamedColumn {
  return { name, type: computed?.type ?? kind, ...(computed?.isInvalid && { isInvalid: true }) };
}

/** The names of computed columns that use a column. */
export function usersOf(name: string, computed: readonly ComputedColumn[]): string[] {
  return computed.filter(({ formula }) => columnsNamed(formula).includes(name)).map(column => column.name);
}
