import type { AxisScale } from '../../columns/axisScale';
import type { RowSubset } from '../../columns/engine/read/tableSource';
import { countsInBins } from '../../columns/engine/statistics/histogram';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import { deepestFirst } from '../../linking/objectPopulations';
import { pathsIn, plain, type Population } from '../population';
import type { PopulationTree } from './populationTree';
import { allRows, combined, hasRow, noRows, type RowBits, rowList } from './rowBits';

/*
 * The population that colors a row with several: see deepestFirst.
 */

/**
 * Populations that give colors: their definitions, the tree that has their rows, and their names.
 */
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
  path: readonly string[];
  listed: number;
}

/** Those with rows in the table, strongest first, as on masks. */
async function ranked({ all, tree, names }: Coloring, signal: AbortSignal): Promise<Ranked[]> {
  const pathOf = pathsIn(all);
  const order = new Map(all.map(({ name }, listed) => [plain(name), { listed, path: pathOf(name) }]));
  const places = new Map(names.map((name, place) => [plain(name), place]));
  const colored: Ranked[] = [];
  for (const population of await tree.all(signal)) {
    const place = places.get(plain(population.name));
    const ranks = order.get(plain(population.name));
    if (place === undefined || !ranks || 'problem' in population.result) continue;
    colored.push({ place, rows: population.result.rows, ...ranks });
  }
  return deepestFirst(colored).map(at => colored[at] as Ranked);
}

/** The position of each row's population among the names; their number for none. */
export async function winnersOf(
  coloring: Coloring,
  rows: Uint32Array,
  signal: AbortSignal,
): Promise<Uint16Array<ArrayBuffer>> {
  const populations = await ranked(coloring, signal);
  const none = coloring.names.length;
  return Uint16Array.from(rows, row => {
    for (const { place, rows: bits } of populations) if (hasRow(bits, row)) return place;
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
 * Counts matching rows by name and bin, in the bins of a histogram of these rows; all bins of a
 * name in a row.
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
  const rowsOf = rowsOfWinners(populations, bitsOf(subset), coloring.names.length);
  const counts = await countsInBins(view.table, { column, scale, range }, rowsOf, signal);
  const bins = counts[0]?.length ?? 0;
  const joined = new Uint32Array(bins * counts.length);
  counts.forEach((binCounts, at) => joined.set(binCounts, at * bins));
  return joined;
}

function bitsOf({ rows, count }: RowSubset): RowBits {
  if (!rows) return allRows(count);
  const bits = noRows((rows.at(-1) ?? 0) + 1);
  for (const row of rows) bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
  return bits;
}

/** Of some rows, those that each name colors. */
function rowsOfWinners(populations: readonly Ranked[], rows: RowBits, names: number): Uint32Array[] {
  const lists: Uint32Array[] = Array.from({ length: names }, () => new Uint32Array(0));
  let left = rows;
  for (const { place, rows: populationRows } of populations) {
    // Rows that were read since are in none yet.
    const won = combined(left, populationRows, (a, b) => a & b);
    left = combined(left, populationRows, (a, b) => a & ~b);
    lists[place] = rowList(won);
  }
  return lists;
}
