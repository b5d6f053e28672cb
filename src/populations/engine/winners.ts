import type { AxisScale } from '../../columns/axisScale';
import type { RowSubset } from '../../columns/engine/read/tableSource';
import { countsInBins } from '../../columns/engine/statistics/histogram';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import { deepestFirst } from '../../linking/objectPopulations';
import { plain } from '../population';
import type { PopulationTree } from './populationTree';
import { allRows, difference, hasRow, intersection, noRows, type RowBits, rowList } from './rowBits';

/*
 * Which population colors a row that is in several: see deepestFirst.
 */

/** The populations of a table, and the names of those that color its rows. */
interface Coloring {
  tree: PopulationTree;
  names: readonly string[];
}

/** A population that colors rows. */
interface ColoringPopulation {
  /** Its position in `names`. */
  place: number;
  rows: RowBits;
}

/** The populations that color rows, the one that wins over all others first, as on masks. */
async function ranked({ tree, names }: Coloring, signal: AbortSignal): Promise<ColoringPopulation[]> {
  const places = new Map(names.map((name, place) => [plain(name), place]));
  // The page names those that it shows: `hidden` may be out of date here.
  const colored = (await tree.ofRows(signal)).flatMap(({ path, listed, rows }) => {
    const place = places.get(plain(path.at(-1) ?? ''));
    return place === undefined ? [] : [{ place, path, listed, rows }];
  });
  return deepestFirst(colored).map(at => colored[at] as ColoringPopulation);
}

/** For each row the position in `names` of the population that colors it; their number for none. */
export async function winnersOf(
  coloring: Coloring,
  rows: Uint32Array,
  signal: AbortSignal,
): Promise<Uint16Array<ArrayBuffer>> {
  const populations = await ranked(coloring, signal);
  // Not with Uint16Array.from, which needs megabytes of memory temporarily.
  const winners = new Uint16Array(rows.length).fill(coloring.names.length);
  for (let at = 0; at < rows.length; at++) {
    for (const { place, rows: bits } of populations)
      if (hasRow(bits, rows[at] as number)) {
        winners[at] = place;
        break;
      }
  }
  return winners;
}

interface CountedBins {
  column: number;
  scale?: AxisScale | undefined;
  range?: [number, number] | undefined;
  filters?: readonly Filter[] | undefined;
}

/**
 * Counts the rows that match the filters by coloring population and by bin of a histogram of these
 * rows: all bins of the first name, then those of the next.
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

/** For each name, the rows of `rows` that its population colors. */
function rowsOfWinners(
  populations: readonly ColoringPopulation[],
  rows: RowBits,
  nameCount: number,
): Uint32Array[] {
  const lists: Uint32Array[] = Array.from({ length: nameCount }, () => new Uint32Array(0));
  let uncolored = rows;
  for (const { place, rows: populationRows } of populations) {
    // Rows read after a population was computed aren't in its set yet.
    const won = intersection(uncolored, populationRows);
    uncolored = difference(uncolored, populationRows);
    lists[place] = rowList(won);
  }
  return lists;
}
