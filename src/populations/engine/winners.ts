import { Pacer } from '../../base/node/slices';
import type { AxisScale } from '../../columns/axisScale';
import { histogram } from '../../columns/engine/statistics/histogram';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import { pathOf, plain, type Population } from '../population';
import type { PopulationTree } from './populationTree';
import type { RowBits } from './rowBits';

/*
 * Which population gives a row its color where several have it: the deepest one, of equally deep
 * ones the first in the list.
 */

/** Populations that give colors: their definitions, the tree that has their rows, and their names. */
interface Coloring {
  all: readonly Population[];
  tree: PopulationTree;
  /** Others give none. */
  names: readonly string[];
}

/** The rows of one, and its place among the names. */
interface Ranked {
  place: number;
  rows: RowBits;
}

/** Those that can be found in the table, from the one that wins over all others on. */
async function ranked({ all, tree, names }: Coloring, signal: AbortSignal): Promise<Ranked[]> {
  const order = new Map(all.map(({ name }, at) => [plain(name), { at, depth: pathOf(all, name).length }]));
  const places = new Map(names.map((name, place) => [plain(name), place]));
  const found: (Ranked & { at: number; depth: number })[] = [];
  for (const each of await tree.all(signal)) {
    const place = places.get(plain(each.name));
    const ranks = order.get(plain(each.name));
    if (place === undefined || !ranks || 'problem' in each.found) continue;
    found.push({ place, rows: each.found.rows, ...ranks });
  }
  return found.sort((a, b) => b.depth - a.depth || a.at - b.at);
}

/** For each of some rows the place of its population among the names; their number for none. */
export async function winnersOf(
  coloring: Coloring,
  rows: Uint32Array,
  signal: AbortSignal,
): Promise<Uint16Array<ArrayBuffer>> {
  const populations = await ranked(coloring, signal);
  const none = coloring.names.length;
  return Uint16Array.from(rows, row => {
    const word = row >>> 5;
    for (const { place, rows: bits } of populations)
      if ((((bits[word] ?? 0) >>> (row & 31)) & 1) === 1) return place;
    return none;
  });
}

interface CountedBins {
  column: number;
  scale?: AxisScale | undefined;
  range?: [number, number] | undefined;
  filters?: readonly Filter[] | undefined;
}

/**
 * How many rows that match the filters have the color of each name in each bin, in the bins of a
 * histogram of these rows; all of a name behind each other.
 */
export async function winnersInBins(
  coloring: Coloring,
  view: TableView,
  { column, scale, range, filters }: CountedBins,
  signal: AbortSignal,
): Promise<Uint32Array<ArrayBuffer>> {
  view.columnAt(column);
  const populations = await ranked(coloring, signal);
  const subset = await view.filteredRows(filters, signal);
  const rowsOf = await rowsOfWinners(populations, subset, coloring.names.length, signal);
  const counts: Uint32Array[] = [];
  for (const rows of rowsOf) {
    const counted = { column, scale, range };
    const { filtered } = await histogram(view.table, counted, { rows, count: rows.length }, signal);
    counts.push(filtered);
  }
  const bins = counts[0]?.length ?? 0;
  const joined = new Uint32Array(bins * counts.length);
  counts.forEach((each, at) => joined.set(each, at * bins));
  return joined;
}

/** Rows handled between two looks at the clock. */
const STEP = 1 << 16;

/** Of some rows, those that each name gives its color. */
async function rowsOfWinners(
  populations: readonly Ranked[],
  { rows, count }: { rows: Uint32Array | undefined; count: number },
  names: number,
  signal: AbortSignal,
): Promise<Uint32Array[]> {
  const pacer = new Pacer(signal);
  const winners = new Uint16Array(count).fill(names);
  const sizes = new Uint32Array(names + 1);
  for (let start = 0; start < count; start += STEP) {
    if (pacer.isDue) await pacer.pause();
    const end = Math.min(count, start + STEP);
    for (let at = start; at < end; at++) {
      const row = rows ? (rows[at] as number) : at;
      for (const { place, rows: bits } of populations)
        if ((((bits[row >>> 5] as number) >>> (row & 31)) & 1) === 1) {
          winners[at] = place;
          break;
        }
      const winner = winners[at] as number;
      sizes[winner] = (sizes[winner] as number) + 1;
    }
  }
  const lists = Array.from({ length: names }, (_, place) => new Uint32Array(sizes[place] ?? 0));
  const next = new Uint32Array(names + 1);
  for (let at = 0; at < count; at++) {
    const winner = winners[at] as number;
    const list = lists[winner];
    if (!list) continue;
    list[next[winner] as number] = rows ? (rows[at] as number) : at;
    next[winner] = (next[winner] as number) + 1;
  }
  return lists;
}
