import { isSame } from '../base/namedList';
import type { TableColumn } from '../columns/tableSummary';
import { type Filter, isOfColumn, type Lasso } from '../columns/viewSpec';
import { type Gate, type GateOf, MAX_NAME_LENGTH, withColumns, withSimpleGates } from './gate';
import {
  columnKey,
  MAX_POPULATIONS,
  neededIn,
  plain,
  type Population,
  populationColors,
  populationNamed,
} from './population';

/*
 * Changes of a list of populations. They keep the meaning of the other populations: gates follow
 * renames, and no population becomes a part of itself.
 */

/** Why a population can't have a name. */
type PopulationNameProblem = 'empty' | 'taken';

/** Populations in tree order: children after their parent, in the order of the list. */
export function inTreeOrder(all: readonly Population[]): { population: Population; level: number }[] {
  const children = new Map<string, Population[]>();
  for (const { name } of all) children.set(plain(name), []);
  const hasParent = new Set<Population>();
  for (const population of all) {
    const siblings = population.parent === undefined ? undefined : children.get(plain(population.parent));
    siblings?.push(population);
    if (siblings) hasParent.add(population);
  }
  const added = new Set<Population>();
  const list: { population: Population; level: number }[] = [];
  const add = (population: Population, level: number) => {
    if (added.has(population)) return;
    added.add(population);
    list.push({ population, level });
    for (const child of children.get(plain(population.name)) ?? []) add(child, level + 1);
  };
  for (const population of all) if (!hasParent.has(population)) add(population, 1);
  // Populations that are a part of themselves have no root: they come last.
  for (const population of all) add(population, 1);
  return list;
}

/** A typed name without line breaks and repeated spaces, of limited length. */
export function tidyName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH);
}

/** Why a population can't have this name. `except`: the name of the population to rename. */
export function nameProblem(
  all: readonly Population[],
  name: string,
  except?: string,
): PopulationNameProblem | undefined {
  const wanted = plain(tidyName(name));
  if (wanted === '') return 'empty';
  const isTaken = all.some(population => population.name !== except && plain(population.name) === wanted);
  return isTaken ? 'taken' : undefined;
}

/** A name that isn't taken: the wanted name, with a number if needed. */
export function freeName(all: readonly Population[], wanted: string): string {
  let name = tidyName(wanted);
  for (let next = 2; nameProblem(all, name); next++) name = `${tidyName(wanted).slice(0, 90)} ${next}`;
  return name;
}

/** Renames a population, and the references to it in gates and as parent. */
export function renamed(all: readonly Population[], from: string, to: string): Population[] {
  // Of several populations with this name, gates mean the first.
  const isFirst = populationNamed(all, from)?.name === from;
  const isOld = (name: string) => isFirst && plain(name) === plain(from);
  return all.map(population => ({
    ...population,
    ...(population.name === from && { name: to }),
    ...(population.parent !== undefined && isOld(population.parent) && { parent: to }),
    gate: withSimpleGates(population.gate, (simple): Gate =>
      simple.kind === 'population' && isOld(simple.name) ? { kind: 'population', name: to } : simple,
    ),
  }));
}

/**
 * Adds named filters of an earlier version as populations that select the same rows. If a name is
 * taken, the population gets a free one.
 */
export function withFilterSets(
  all: readonly Population[],
  sets: readonly { name: string; filters: readonly Gate[] }[],
): Population[] {
  const list = [...all];
  for (const { name, filters } of sets) {
    const [first, ...others] = filters;
    if (!first || list.length >= MAX_POPULATIONS) continue;
    const gate: Gate = others.length === 0 ? first : { kind: 'all', gates: [...filters] };
    // The filters may be in the list already, if the window closed before it deleted them.
    const isAdded = list.some(
      population =>
        plain(population.formerName ?? population.name) === plain(name) && isSame(population.gate, gate),
    );
    if (isAdded) continue;
    const free = freeName(list, name);
    list.push({ name: free, gate, ...(free !== name && { formerName: name }) });
  }
  return list;
}

/** Names of a population and all its descendants. */
export function withDescendants(all: readonly Population[], name: string): string[] {
  const root = all.find(population => population.name === name) ?? populationNamed(all, name);
  const descendants = new Set(root && [root]);
  // Iteration of a set includes items added meanwhile.
  for (const population of descendants)
    if (populationNamed(all, population.name) === population)
      for (const other of all)
        if (other.parent !== undefined && plain(other.parent) === plain(population.name))
          descendants.add(other);
  return [...descendants].map(population => population.name);
}

/**
 * Removes a population with its descendants. Other populations whose gates name these stay, with a
 * problem.
 */
export function without(all: readonly Population[], name: string): Population[] {
  const removed = new Set(withDescendants(all, name));
  return all.filter(population => !removed.has(population.name));
}

/** Possible parents of a population: all that don't need it, even indirectly. */
export function parentsFor(all: readonly Population[], name: string): string[] {
  const neededFor = neededIn(all);
  const population = populationNamed(all, name);
  return all.flatMap(other => (population && neededFor(other.name).has(population) ? [] : [other.name]));
}

/** Sets the parent of a population; undefined for none. */
export function moved(all: readonly Population[], name: string, parent: string | undefined): Population[] {
  return all.map(population => {
    if (population.name !== name) return population;
    const orphan = { ...population };
    delete orphan.parent;
    return { ...orphan, ...(parent !== undefined && { parent }) };
  });
}

/**
 * Sets the color of a population (undefined: the color of its position), or whether it is hidden.
 */
export function restyled(
  all: readonly Population[],
  name: string,
  style: { color: string | undefined } | { hidden: boolean },
): Population[] {
  return all.map(population => {
    if (population.name !== name) return population;
    const { color, hidden, ...others } = { ...population, ...style };
    return { ...others, ...(color !== undefined && { color }), ...(hidden === true && { hidden }) };
  });
}

/** Moves a population before or after a sibling. Rows in both have the color of the first. */
export function reordered(all: readonly Population[], name: string, by: -1 | 1): Population[] {
  const list = inTreeOrder(all).map(({ population }) => population);
  const target = list.find(population => population.name === name);
  const siblings = list.filter(population => plain(population.parent ?? '') === plain(target?.parent ?? ''));
  const other = target && siblings[siblings.indexOf(target) + by];
  if (!other) return [...all];
  // Colors by position stay with their populations.
  const colors = populationColors(all);
  const colored = all.map((population, at) =>
    population === target || population === other ? { ...population, color: colors[at] } : population,
  );
  const [a, b] = [all.indexOf(target), all.indexOf(other)];
  [colored[a], colored[b]] = [colored[b] as Population, colored[a] as Population];
  return colored;
}

/** Appends a copy of a population, without its children and without its color. */
export function duplicated(all: readonly Population[], name: string, copy: string): Population[] {
  const original = all.find(population => population.name === name);
  if (!original) return [...all];
  const { parent, hidden, gate } = original;
  const copied = { ...(parent !== undefined && { parent }), ...(hidden && { hidden }), gate };
  return [...all, { name: copy, ...copied }];
}

/** A gate of columns by their positions, as stored. */
export function withColumnNames(gate: GateOf<number>, columns: readonly TableColumn[]): Gate {
  return withColumns(gate, index => columnKey(columns, index));
}

/** A filter of the page; one of kind `rowSet` may have been made by a lasso. */
interface GateFilter {
  filter: Filter;
  lasso?: Lasso;
}

/**
 * The gate of the rows that match the filters. Its parent is the population in the filters, if any.
 * Undefined if a gate can't express them: a selection on masks is no condition.
 */
export function gateOfFilters(
  filters: readonly GateFilter[],
  columns: readonly TableColumn[],
): { gate: Gate; parent: string | undefined } | undefined {
  const gates = filters.flatMap(({ filter, lasso }): Gate[] => {
    if (isOfColumn(filter)) return [withColumnNames(filter, columns)];
    if (filter.kind !== 'rowSet' || !lasso) return [];
    const { x, y, polygon, scales } = lasso;
    const points = Array.from({ length: polygon.length / 2 }, (_, at): [number, number] => [
      polygon[2 * at] ?? 0,
      polygon[2 * at + 1] ?? 0,
    ]);
    const drawn: GateOf<number> = { kind: 'polygon', x, y, points, ...(scales && { scales }) };
    const named = withColumnNames(drawn, columns);
    return [filter.exclude === true ? { kind: 'not', gate: named } : named];
  });
  const isSelection = filters.some(({ filter, lasso }) => filter.kind === 'rowSet' && !lasso);
  const [first, ...others] = gates;
  if (!first || isSelection) return undefined;
  const filtered = filters.find(({ filter }) => filter.kind === 'population')?.filter;
  const parent = filtered?.kind === 'population' ? filtered.name : undefined;
  return { gate: others.length === 0 ? first : { kind: 'all', gates }, parent };
}
