import { columnsOfImage } from '../columns/rowColumns';
import type { TableColumn } from '../columns/tableSummary';
import { isReversed } from '../columns/viewSpec';
import {
  type Gate,
  type GateOf,
  isPerImage,
  numericColumns,
  populationsIn,
  simpleGates,
  withColumns,
} from './gate';
import { classColor, classColorOnLight, toHex } from '../base/colors';

/*
 * Populations: named sets of rows of an objects table. Each is a part of its parent, or of all
 * rows. Filters of views don't change them.
 */

export interface Population {
  /** Unique, ignoring case. */
  name: string;
  parent?: string | undefined;
  /** #rrggbb; if absent, the color of its position in the list. */
  color?: string | undefined;
  /** Set if plots and masks don't show its color. */
  hidden?: true | undefined;
  gate: Gate;
  /** The name that it had as a filter in an earlier version. Measures saved then use this name. */
  formerName?: string | undefined;
}

/** Maximum number of populations of a table: longer lists are unreadable. */
export const MAX_POPULATIONS = 500;

/** Why a table can't have a population. The list keeps it: missing columns may return. */
export type PopulationProblem =
  | { kind: 'name-taken' }
  | { kind: 'no-parent'; name: string }
  /** Its gate names a population that is missing. */
  | { kind: 'no-population'; name: string }
  /** It is a part of itself: each of these populations needs the next, and the last the first. */
  | { kind: 'circle'; names: string[] }
  | { kind: 'no-column'; name: string }
  | { kind: 'several-columns'; name: string }
  | { kind: 'no-numbers'; name: string }
  | { kind: 'no-image-column' }
  | { kind: 'range-reversed' }
  /** A population that it needs has a problem. */
  | { kind: 'needs'; name: string };

/** A gate with positions of columns in a table. */
export interface PlacedGate {
  gate: GateOf<number>;
  /** Columns whose texts together name a row's image; empty without such columns. */
  imageColumns: readonly number[];
}

/** A population, and its gate in a table. */
export interface PopulationInTable {
  population: Population;
  /** The gate with positions of columns, or why the table can't have the population. */
  placement: PlacedGate | { problem: PopulationProblem };
}

/** Resolves populations in a table, in the same order. */
export function populationsInTable(
  all: readonly Population[],
  columns: readonly TableColumn[],
): PopulationInTable[] {
  const imageColumns = columnsOfImage(columns);
  const named = byName(all);
  const resolved = new Map<Population, PopulationInTable>();
  const visiting: Population[] = [];
  const visit = (population: Population): PopulationInTable => {
    let inTable = resolved.get(population);
    if (inTable) return inTable;
    visiting.push(population);
    const problem = problemOf(population);
    visiting.pop();
    const placement = problem ? { problem } : placeGate(population.gate, columns, imageColumns);
    resolved.set(population, (inTable = { population, placement }));
    return inTable;
  };
  const problemOf = (population: Population): PopulationProblem | undefined => {
    if (named(population.name) !== population) return { kind: 'name-taken' };
    for (const name of neededBy(population)) {
      const needed = named(name);
      if (!needed) return { kind: name === population.parent ? 'no-parent' : 'no-population', name };
      const start = visiting.indexOf(needed);
      if (start >= 0) return { kind: 'circle', names: visiting.slice(start).map(other => other.name) };
      const { placement } = visit(needed);
      if ('problem' in placement) {
        // All populations in a circle get this problem.
        const { problem } = placement;
        const isInCircle = problem.kind === 'circle' && problem.names.includes(population.name);
        return isInCircle ? problem : { kind: 'needs', name };
      }
    }
    return undefined;
  };
  return all.map(visit);
}

/** Names of the populations that a population needs: its parent, and those in its gate. */
export function neededBy({ parent, gate }: Pick<Population, 'parent' | 'gate'>): string[] {
  return [...(parent === undefined ? [] : [parent]), ...populationsIn(gate)];
}

/** Returns a function that gives the population of a name and all that it needs, even indirectly. */
export function neededIn(all: readonly Population[]): (name: string) => ReadonlySet<Population> {
  const named = byName(all);
  return name => {
    const population = named(name);
    const needed = new Set(population && [population]);
    // Iteration of a set includes items added meanwhile.
    for (const dependent of needed)
      for (const other of neededBy(dependent).flatMap(neededName => named(neededName) ?? []))
        needed.add(other);
    return needed;
  };
}

/** Names of the columns whose numbers decide which rows a population has, even indirectly. */
export function columnsBehind(
  all: readonly Population[],
  name: string,
  columns: readonly Pick<TableColumn, 'name'>[],
): string[] {
  const numeric = [...neededIn(all)(name)].flatMap(population => numericColumns(population.gate));
  return numeric.map(column => (typeof column === 'number' ? (columns[column]?.name ?? '') : column));
}

/** A population by its name, as filters name it. */
export function populationNamed<P extends { name: string }>(all: readonly P[], name: string): P | undefined {
  const wanted = plain(name);
  return all.find(population => plain(population.name) === wanted);
}

/** Like populationNamed, for looking up many names: returns a function that finds one. */
export function byName<P extends { name: string }>(all: readonly P[]): (name: string) => P | undefined {
  const first = new Map<string, P>();
  for (const population of all.toReversed()) first.set(plain(population.name), population);
  return name => first.get(plain(name));
}

/**
 * Returns a function that gives a population's path: names of its parents, root first, then its
 * own.
 */
export function pathsIn(all: readonly Pick<Population, 'name' | 'parent'>[]): (name: string) => string[] {
  const named = byName(all);
  return name => {
    const path = new Set<string>();
    let population = named(name);
    while (population && !path.has(population.name)) {
      path.add(population.name);
      population = population.parent === undefined ? undefined : named(population.parent);
    }
    return [...path].reverse();
  };
}

/**
 * Colors of populations as #rrggbb, in order: the color that the user set, or else the color of the
 * position in the list, for a dark or a light background. Hidden populations have a position too.
 */
export function populationColors(all: readonly Pick<Population, 'color'>[], isOnLight = false): string[] {
  const colorAt = isOnLight ? classColorOnLight : classColor;
  return all.map(({ color }, place) => color ?? toHex(colorAt(place)));
}

/** A name for comparison: without case and outer spaces. */
export function plain(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function placeGate(
  gate: Gate,
  columns: readonly TableColumn[],
  imageColumns: readonly number[],
): PopulationInTable['placement'] {
  let problem: PopulationProblem | undefined;
  const positionOf = (key: string | number): number => {
    const [match, otherMatch] = columnsNamed(columns, key);
    if (match && !otherMatch) return match.index;
    problem ??= { kind: match ? 'several-columns' : 'no-column', name: String(key) };
    return -1;
  };
  const placed = withColumns(gate, positionOf);
  for (const column of numericColumns(placed)) {
    const { kind, name = '' } = columns[column] ?? {};
    if (kind === 'text') problem ??= { kind: 'no-numbers', name };
  }
  for (const simple of simpleGates(placed)) {
    if (isPerImage(simple) && imageColumns.length === 0) problem ??= { kind: 'no-image-column' };
    if (simple.kind === 'range' && isReversed({ from: simple.from ?? null, to: simple.to ?? null }))
      problem ??= { kind: 'range-reversed' };
  }
  return problem ? { problem } : { gate: placed, imageColumns };
}

/** The columns that a gate may mean by a name or a position: several may have the same name. */
export function columnsNamed(columns: readonly TableColumn[], key: string | number): TableColumn[] {
  return columns.filter(({ index, name }) => (typeof key === 'number' ? index : name) === key);
}

/** How gates name a column: by its name, or by its position if that isn't unique. */
export function columnKey(columns: readonly TableColumn[], index: number): string | number {
  const { name = '' } = columns[index] ?? {};
  return name !== '' && columnsNamed(columns, name).length === 1 ? name : index;
}
