import { filtersByName } from '../columns/filterSets';
import type { TableColumn } from '../columns/tableSummary';
import { type Filter, isOfColumn, type Lasso } from '../columns/viewSpec';
import { type Gate, type GateOf, withColumns } from './gate';
import { neededBy, plain, type Population, populationNamed } from './population';

/*
 * Changes of a list of populations. None of them changes what others mean: names are followed, and
 * nothing becomes a part of itself.
 */

/** Why a population can't have a name. */
export type PopulationNameProblem = 'empty' | 'taken';

/**
 * Populations below each other as a tree shows them: children after their parent, in the order of
 * the list.
 */
export function inTreeOrder(all: readonly Population[]): { population: Population; level: number }[] {
  const shown = new Set<Population>();
  const list: { population: Population; level: number }[] = [];
  const add = (population: Population, level: number) => {
    if (shown.has(population)) return;
    shown.add(population);
    list.push({ population, level });
    for (const child of childrenOf(all, population.name)) add(child, level + 1);
  };
  const hasParent = ({ parent }: Population) => parent !== undefined && populationNamed(all, parent);
  for (const each of all) if (!hasParent(each)) add(each, 1);
  // Those that are a part of themselves have no beginning.
  for (const each of all) add(each, 1);
  return list;
}

function childrenOf(all: readonly Population[], name: string): Population[] {
  return all.filter(({ parent }) => parent !== undefined && plain(parent) === plain(name));
}

/** A name on one line. */
export function tidyName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().slice(0, 100);
}

/** Why a population can't be called so. `except`: the one that is renamed. */
export function nameProblem(
  all: readonly Population[],
  name: string,
  except?: string,
): PopulationNameProblem | undefined {
  const wanted = plain(tidyName(name));
  if (wanted === '') return 'empty';
  const isTaken = all.some(each => each.name !== except && plain(each.name) === wanted);
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
  const isOld = (name: string) => plain(name) === plain(from);
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
  return all.map(each => ({
    ...each,
    ...(isOld(each.name) && { name: to }),
    ...(each.parent !== undefined && isOld(each.parent) && { parent: to }),
    gate: inGate(each.gate),
  }));
}

/** A population and all that are parts of it. */
export function withDescendants(all: readonly Population[], name: string): string[] {
  const found = new Set<string>();
  const add = (each: string) => {
    if (found.has(each)) return;
    found.add(each);
    for (const child of childrenOf(all, each)) add(child.name);
  };
  add(populationNamed(all, name)?.name ?? name);
  return [...found];
}

/** Without one and its children. Others whose gates name these stay, and say what they lack. */
export function without(all: readonly Population[], name: string): Population[] {
  const gone = new Set(withDescendants(all, name));
  return all.filter(each => !gone.has(each.name));
}

/** Whether one can be a part of another one: that doesn't need it, directly or not. */
export function canMove(all: readonly Population[], name: string, parent: string): boolean {
  const seen = new Set<string>();
  const needs = (each: string): boolean => {
    if (plain(each) === plain(name)) return true;
    if (seen.has(plain(each))) return false;
    seen.add(plain(each));
    const found = populationNamed(all, each);
    return found !== undefined && neededBy(found).some(needs);
  };
  return !needs(parent);
}

/** One has another parent; undefined for none. */
export function moved(all: readonly Population[], name: string, parent: string | undefined): Population[] {
  return all.map(each => {
    if (each.name !== name) return each;
    const orphan = { ...each };
    delete orphan.parent;
    return { ...orphan, ...(parent !== undefined && { parent }) };
  });
}

/** With a copy of one behind it, without its children. */
export function duplicated(all: readonly Population[], name: string, copy: string): Population[] {
  return all.flatMap(each => (each.name === name ? [each, { ...each, name: copy }] : [each]));
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
 * The gate of the rows that filters leave, and their population, which becomes the parent.
 * Undefined where there is none: objects that were selected on the masks are no condition that
 * others could fulfill.
 */
export function gateOfFilters(
  filters: readonly GivenFilter[],
  columns: readonly TableColumn[],
): { gate: Gate; parent: string | undefined } | undefined {
  const gates = filters.flatMap(({ filter, lasso }): Gate[] => {
    if (isOfColumn(filter)) return filtersByName([filter], columns);
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
