import type { ComputedColumn } from '../columns/computedColumn';

/* The columns that formulas name, in brackets in which ] is doubled; quotes enclose text. */

const TEXT_OR_NAME = /"(?:[^"]|"")*"|\[((?:[^\]]|\]\])*)\]/g;

/** A column as it is named in a formula. */
export function bracketed(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** A formula in which columns have other names. */
function withRenamedInFormula(formula: string, names: ReadonlyMap<string, string>): string {
  return formula.replace(TEXT_OR_NAME, (written: string, name: string | undefined) => {
    const renamed = name === undefined ? undefined : names.get(name.replaceAll(']]', ']'));
    return renamed === undefined ? written : bracketed(renamed);
  });
}

/** Computed columns that use columns which have other names now. */
export function withRenamedInFormulas(
  computed: readonly ComputedColumn[],
  names: ReadonlyMap<string, string>,
): ComputedColumn[] {
  return computed.map(({ name, formula }) => ({ name, formula: withRenamedInFormula(formula, names) }));
}

/** The columns that a formula names, each once, be it valid or not. */
export function columnsNamed(formula: string): string[] {
  const names = Array.from(formula.matchAll(TEXT_OR_NAME), ([, name]) => name?.replaceAll(']]', ']'));
  return [...new Set(names.filter(name => name !== undefined))];
}
