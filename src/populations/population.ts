import { findRowColumns } from '../columns/rowColumns';
import type { TableColumn } from '../columns/tableSummary';
import { isReversed } from '../columns/viewSpec';
import { type Gate, type GateOf, numericColumns, populationsIn, simpleGates, withColumns } from './gate';

/*
 * Populations: named rows of an objects table. Each is a part of its parent, or of all rows. They
 * ignore the filters of views.
 */

export interface Population {
  /** Unique, ignoring case. */
  name: string;
  parent?: string | undefined;
  /** #rrggbb; by its place where absent. */
  color?: string | undefined;
  /** Its color isn't shown, in plots or on masks. */
  hidden?: true | undefined;
  gate: Gate;
}

/** Per table: longer lists are unreadable. */
export const MAX_POPULATIONS = 500;

/** Why a table can't have a population. It isn't dropped: missing columns may return. */
export type PopulationProblem =
  | { kind: 'name-taken' }
  | { kind: 'no-parent'; name: string }
  /** A population that its gate names. */
  | { kind: 'no-population'; name: string }
  /** It is a part of itself: by these, the last of which needs the first. */
  | { kind: 'circle'; names: string[] }
  | { kind: 'no-column'; name: string }
  | { kind: 'several-columns'; name: string }
  | { kind: 'no-numbers'; name: string }
  | { kind: 'no-image-column' }
  | { kind: 'range-reversed' }
  /** A population that it needs has a problem. */
  | { kind: 'needs'; name: string };

/** A population as a table has it. */
export interface PopulationInTable {
  of: Population;
  /** By positions of columns, unless there is a problem. */
  found: { gate: GateOf<number>; imageColumn: number | undefined } | { problem: PopulationProblem };
}

/** Populations of a table, in the same order. */
export function populationsInTable(
  all: readonly Population[],
  columns: readonly TableColumn[],
): PopulationInTable[] {
  const { image: imageColumn } = findRowColumns(columns);
  const first = new Map<string, Population>();
  for (const each of all) if (!first.has(plain(each.name))) first.set(plain(each.name), each);
  const done = new Map<Population, PopulationInTable>();
  const under: Population[] = [];
  const visit = (each: Population): PopulationInTable => {
    const known = done.get(each);
    if (known) return known;
    under.push(each);
    const problem = problemOf(each);
    under.pop();
    const found = problem ? { problem } : inColumns(each.gate, columns, imageColumn);
    const inTable = { of: each, found };
    done.set(each, inTable);
    return inTable;
  };
  const problemOf = (each: Population): PopulationProblem | undefined => {
    if (first.get(plain(each.name)) !== each) return { kind: 'name-taken' };
    for (const name of neededBy(each)) {
      const needed = first.get(plain(name));
      if (!needed) return { kind: name === each.parent ? 'no-parent' : 'no-population', name };
      const at = under.indexOf(needed);
      if (at >= 0) return { kind: 'circle', names: under.slice(at).map(other => other.name) };
      const { found } = visit(needed);
      if ('problem' in found) {
        // All populations in a circle get this problem.
        const { problem } = found;
        const isInCircle = problem.kind === 'circle' && problem.names.includes(each.name);
        return isInCircle ? problem : { kind: 'needs', name };
      }
    }
    return undefined;
  };
  return all.map(visit);
}

/** The populations that one needs: its parent, and those in its gate. */
export function neededBy({ parent, gate: of }: Pick<Population, 'parent' | 'gate'>): string[] {
  return [...(parent === undefined ? [] : [parent]), ...populationsIn(of)];
}

/** A population by its name, as filters name it. */
export function populationNamed<P extends { name: string }>(all: readonly P[], name: string): P | undefined {
  return all.find(each => plain(each.name) === plain(name));
}

/** Its name after its parents' names, root first. */
export function pathOf(all: readonly Pick<Population, 'name' | 'parent'>[], name: string): string[] {
  const path: string[] = [];
  let at = populationNamed(all, name);
  while (at && !path.includes(at.name)) {
    path.unshift(at.name);
    at = at.parent === undefined ? undefined : populationNamed(all, at.parent);
  }
  return path;
}

/** The form in which names are compared. */
export function plain(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function inColumns(
  of: Gate,
  columns: readonly TableColumn[],
  imageColumn: number | undefined,
): PopulationInTable['found'] {
  let problem: PopulationProblem | undefined;
  const positionOf = (named: string | number): number => {
    const found = columns.filter(({ index, name }) =>
      typeof named === 'number' ? index === named : name === named,
    );
    const [only] = found;
    if (only && found.length === 1) return only.index;
    problem ??= { kind: found.length === 0 ? 'no-column' : 'several-columns', name: String(named) };
    return -1;
  };
  const placed = withColumns(of, positionOf);
  for (const column of numericColumns(placed)) {
    const { kind, name = '' } = columns[column] ?? {};
    if (kind === 'text') problem ??= { kind: 'no-numbers', name };
  }
  for (const each of simpleGates(placed)) {
    const isPerImage = 'of' in each && each.of === 'image' && each.frozen === undefined;
    if (isPerImage && imageColumn === undefined) problem ??= { kind: 'no-image-column' };
    if (each.kind === 'range' && isReversed({ from: each.from ?? null, to: each.to ?? null }))
      problem ??= { kind: 'range-reversed' };
  }
  return problem ? { problem } : { gate: placed, imageColumn };
}
