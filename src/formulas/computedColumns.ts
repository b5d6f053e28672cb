import { reason } from '../base/reasons';
import type { ComputedColumn } from '../columns/computedColumn';
import { type Checked, checkFormula, type FormulaProblem, type NamedColumn } from './formula';
import { bracketed, columnsNamed, columnTokens } from './formulaTokens';

/*
 * The computed columns of a table. Each may use the table's columns and other computed columns, but
 * not itself.
 */

/** A computed column with its checked formula, or the reason why it can't be computed. */
export type CheckedColumn = ComputedColumn & Checked;

/**
 * Checks computed columns against a table's other columns. In plans, positions of columns count
 * the table's columns first, and then the computed ones.
 */
export function checkColumns(
  computed: readonly ComputedColumn[],
  columns: readonly NamedColumn[],
): CheckedColumn[] {
  const positionOf = new Map(computed.map(({ name }, at) => [name, at]));
  const uses = computed.map(({ formula }) =>
    columnsNamed(formula).flatMap(name => positionOf.get(name) ?? []),
  );
  const checked: CheckedColumn[] = [];
  const check = (at: number): CheckedColumn => {
    const column = computed[at] ?? { name: '', formula: '' };
    const cycle = cycleFrom(at, uses)?.map(position => computed[position]?.name ?? '');
    if (cycle) return { ...column, problem: cycleProblem(column, cycle) };
    // Columns that the formula doesn't use needn't be checked before it.
    const others = computed.map((other, position) => {
      return uses[at]?.includes(position)
        ? shown((checked[position] ??= check(position)))
        : asNumberColumn(other);
    });
    return { ...column, ...checkFormula(column.formula, [...columns, ...others]) };
  };
  return computed.map((_, at) => (checked[at] ??= check(at)));
}

function asNumberColumn({ name }: ComputedColumn): NamedColumn {
  return { name, kind: 'number' };
}

/** A computed column as formulas of other columns see it. */
export function shown(column: CheckedColumn): NamedColumn {
  const { name, formula } = column;
  const type = 'checked' in column ? column.checked.plan.type : 'text';
  const kind = type === 'number' ? 'number' : 'text';
  return { name, kind, computed: { formula, type, ...('problem' in column && { isInvalid: true }) } };
}

/**
 * A chain of columns that use each other, from a column back to itself; undefined without one.
 */
function cycleFrom(from: number, uses: readonly (readonly number[])[]): number[] | undefined {
  const seen = new Set<number>();
  const search = (path: readonly number[]): number[] | undefined => {
    for (const next of uses[path.at(-1) ?? from] ?? []) {
      if (next === from) return [...path, next];
      const cycle = seen.has(next) ? undefined : search((seen.add(next), [...path, next]));
      if (cycle) return cycle;
    }
    return undefined;
  };
  return search([from]);
}

/** The problem of a cycle, with the span where the formula names its next column. */
function cycleProblem({ formula }: ComputedColumn, cycle: readonly string[]): FormulaProblem {
  const { start = 0, end = 0 } = columnTokens(formula).find(({ text }) => text === cycle[1]) ?? {};
  const why =
    cycle.length > 2
      ? reason('The columns would use each other: {0}', cycle.map(bracketed).join(' → '))
      : reason('The column would use itself');
  return { reason: why, start, end };
}

/** The names of computed columns that use a column. */
export function usersOf(name: string, computed: readonly ComputedColumn[]): string[] {
  return computed.filter(({ formula }) => columnsNamed(formula).includes(name)).map(column => column.name);
}
