import { isSame } from '../base/namedList';
import type { TableColumn } from '../columns/tableSummary';
import { type Filter, isOfColumn, type Lasso } from '../columns/viewSpec';
import { type Gate, type GateOf, withColumns } from './gate';
import { MAX_POPULATIONS, neededBy, plain, type Population, populationNamed } from './population';
import { populationColors } from './populationColors';

/*
 * Changes of a list of populations. They keep the meaning of others: gates follow renames, and
 * nothing becomes a part of itself.
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
  const shown = new Set<Population>();
  const list: { population: Population; level: number }[] = [];
  const add = (population: Population, level: number) => {
    if (shown.has(population)) return;
    shown.add(population);
    list.push({ population, level });
    for (const child of children.get(plain(population.name)) ?? []) add(child, level + 1);
  };
  for (const population of all) if (!hasParent.has(population)) add(population, 1);
  // Those that are a part of themselves have no beginning.
  for (const population of all) add(population, 1);
  return list;
}

/** A name on one line. */
export function tidyName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().slice(0, 100);
}

/** Why a population can't have this name. `except`: the renamed one. */
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

/** A name that is free: the given one, or with a number behind it. */
export function freeName(all: readonly Population[], wanted: string): string {
  let name = tidyName(wanted);
  for (let next = 2; nameProblem(all, name); next++) name = `${tidyName(wanted).slice(0, 90)} ${next}`;
  return name;
}

/** One has another name: parents and gates that name it follow. */
export function renamed(all: readonly Population[], from: string, to: string): Population[] {
  // Of equal names, gates mean the first one.
  const isNamed = populationNamed(all, from)?.name === from;
  const isOld = (name: string) => isNamed && plain(name) === plain(from);
  const inGate = (of: Gate): Gate => {
    switch (of.kind) {
      case 'population':
        return isOld(of.name) ? { kind: 'population', name: to } : of;
      case 'all':
      case 'any':
        return { kind: of.kind, gates: of.gates.map(inGate) };
      case 'not':
        return { kind: 'not', gate: inGate(of.gate) };
      default:
        return of;
    }
  };
  return all.map(population => ({
    ...population,
    ...(population.name === from && { name: to }),
    ...(population.parent !== undefined && isOld(population.parent) && { parent: to }),
    gate: inGate(population.gate),
  }));
}

/**
 * Adds named filters, which select the same rows as populations. If a name is taken, they get a
 * free one.
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
    // A window may have closed after it stored the list.
    const isThere = list.some(
      population =>
        plain(population.formerName ?? population.name) === plain(name) && isSame(population.gate, gate),
    );
    if (isThere) continue;
    const free = freeName(list, name);
    list.push({ name: free, gate, ...(free !== name && { formerName: name }) });
  }
  return list;
}

/** A population and all that are parts of it. */
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
 * Without one and its children. Gates of others that name these stay, and report what they lack.
 */
export function without(all: readonly Population[], name: string): Population[] {
  const gone = new Set(withDescendants(all, name));
  return all.filter(population => !gone.has(population.name));
}

/** Possible parents of one: those that don't need it, even indirectly. */
export function parentsFor(all: readonly Population[], name: string): string[] {
  const needing = new Map<string, string[]>();
  for (const population of all)
    for (const needed of neededBy(population)) {
      const dependents = needing.get(plain(needed)) ?? [];
      needing.set(plain(needed), [...dependents, plain(population.name)]);
    }
  const without = new Set([plain(name)]);
  for (const dependent of without) for (const other of needing.get(dependent) ?? []) without.add(other);
  return all.filter(population => !without.has(plain(population.name))).map(population => population.name);
}

/** Sets the parent of one; undefined for none. */
export function moved(all: readonly Population[], name: string, parent: string | undefined): Population[] {
  return all.map(population => {
    if (population.name !== name) return population;
    const orphan = { ...population };
    delete orphan.parent;
    return { ...orphan, ...(parent !== undefined && { parent }) };
  });
}

/** One has another color, undefined for that of its place, or is hidden or shown. */
export function relooked(
  all: readonly Population[],
  name: string,
  look: { color: string | undefined } | { hidden: boolean },
): Population[] {
  return all.map(population => {
    if (population.name !== name) return population;
    const { color, hidden, ...others } = { ...population, ...look };
    return { ...others, ...(color !== undefined && { color }), ...(hidden === true && { hidden }) };
  });
}

/** Moves one before or after its sibling: of overlapping ones, the first one's color shows. */
export function reordered(all: readonly Population[], name: string, by: -1 | 1): Population[] {
  const list = inTreeOrder(all).map(({ population }) => population);
  const moved = list.find(population => population.name === name);
  const siblings = list.filter(population => plain(population.parent ?? '') === plain(moved?.parent ?? ''));
  const other = moved && siblings[siblings.indexOf(moved) + by];
  if (!other) return [...all];
  // Colors by position stay with their populations.
  const colors = populationColors(all);
  const colored = all.map((population, at) =>
    population === moved || population === other ? { ...population, color: colors[at] } : population,
  );
  const [a, b] = [all.indexOf(moved), all.indexOf(other)];
  [colored[a], colored[b]] = [colored[b] as Population, colored[a] as Population];
  return colored;
}

/** With a copy of one behind all others, without its children and with a color of its own. */
export function duplicated(all: readonly Population[], name: string, copy: string): Population[] {
  const original = all.find(population => population.name === name);
  if (!original) return [...all];
  const { parent, hidden, gate } = original;
  const alike = { ...(parent !== undefined && { parent }), ...(hidden && { hidden }), gate };
  return [...all, { name: copy, ...alike }];
}

/** A gate with its columns by their names, or by position where several have a name. */
export function byNames(gate: GateOf<number>, columns: readonly TableColumn[]): Gate {
  return withColumns(gate, index => {
    const name = columns[index]?.name ?? '';
    return name !== '' && columns.filter(column => column.name === name).length === 1 ? name : index;
  });
}

/** A filter of the page: a set of rows with the lasso that made it. */
interface GivenFilter {
  filter: Filter;
  lasso?: Lasso;
}

/**
 * The gate of the rows that match the filters, and their population as its parent. Undefined
 * without any: objects selected on the masks are no condition.
 */
export function gateOfFilters(
  filters: readonly GivenFilter[],
  columns: readonly TableColumn[],
): { gate: Gate; parent: string | undefined } | undefined {
  const gates = filters.flatMap(({ filter, lasso }): Gate[] => {
    if (isOfColumn(filter)) return [byNames(filter, columns)];
    if (filter.kind !== 'rowSet' || !lasso) return [];
    const { x, y, polygon, scales } = lasso;
    const points = Array.from({ length: polygon.length / 2 }, (_, at): [number, number] => [
      polygon[2 * at] ?? 0,
      polygon[2 * at + 1] ?? 0,
    ]);
    const drawn: GateOf<number> = { kind: 'polygon', x, y, points, ...(scales && { scales }) };
    const named = byNames(drawn, columns);
    return [filter.exclude === true ? { kind: 'not', gate: named } : named];
  });
  const isSelection = filters.some(({ filter, lasso }) => filter.kind === 'rowSet' && !lasso);
  const [first, ...others] = gates;
  if (!first || isSelection) return undefined;
  const inside = filters.find(({ filter }) => filter.kind === 'population')?.filter;
  const parent = inside?.kind === 'population' ? inside.name : undefined;
  return { gate: others.length === 0 ? first : { kind: 'all', gates }, parent };
}
