import { reason } from '../base/reasons';
import type { ComputedColumn } from '../columns/computedColumn';
import { type Checked, checkFormula, type FormulaProblem, type NamedColumn } from './formula';
import { bracketed, columnsNamed, columnTokens } from './formulaTokens';

/*
 * The computed columns of a table: each may use those of the table and the others, but not itself.
 */

/** A computed column: its formula, or why it can't be computed. */
export type CheckedColumn = ComputedColumn & Checked;

/**
 * Checks computed columns against a table's other columns. The columns that they use are counted
 * from these, and then from the computed ones in order.
 */
export function checkColumns(
  computed: readonly ComputedColumn[],
  columns: readonly NamedColumn[],
): CheckedColumn[] {
  const placeOf = new Map(computed.map(({ name }, at) => [name, at]));
  const uses = computed.map(({ formula }) => columnsNamed(formula).flatMap(name => placeOf.get(name) ?? []));
  const checked: CheckedColumn[] = [];
  const check = (at: number): CheckedColumn => {
    const column = computed[at] ?? { name: '', formula: '' };
    const cycle = cycleFrom(at, uses)?.map(place => computed[place]?.name ?? '');
    if (cycle) return { ...column, problem: cycleProblem(column, cycle) };
    // Those that it doesn't use needn't be checked before it.
    const others = computed.map((other, place) => {
      return uses[at]?.includes(place) ? shown((checked[place] ??= check(place))) : named(other);
    });
    return { ...column, ...checkFormula(column.formula, [...columns, ...others]) };
  };
  return computed.map((_, at) => (checked[at] ??= check(at)));
}

function named({ name }: ComputedColumn): NamedColumn {
  return { name, kind: 'number' };
}

/** A computed column as the table has it. */
export function shown(column: CheckedColumn): NamedColumn {
  const { name, formula } = column;
  const type = 'checked' in column ? column.checked.plan.type : 'text';
  const kind = type === 'number' ? 'number' : 'text';
  return { name, kind, computed: { formula, type, ...('problem' in column && { isInvalid: true }) } };
}

/**
 * The columns through which a column uses itself, beginning and ending with it; undefined without.
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

/** At the place where the formula names the next column of the cycle. */
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
