import { Pacer } from '../../base/node/slices';
import { type CountedObjectPopulation, deepestFirst, type ObjectPopulation } from '../objectPopulations';

/** A population with its rows of the objects table: bit i of word w stands for row 32 · w + i. */
export interface PopulationOfRows extends ObjectPopulation {
  rows: Uint32Array;
}

/** The populations of the objects table in the order of their tree. Throws `cancelled`. */
export type FindPopulations = (signal: AbortSignal) => Promise<PopulationOfRows[]>;

/** Number of objects handled between two checks of the time. */
const OBJECTS_AT_ONCE = 65_536;

/**
 * Counts the objects of each population, and finds the population that colors each object, as its
 * position + 1, or 0 for none. `rows` are the rows of the objects, −1 without a row. Throws
 * `cancelled`.
 */
export async function coloredObjects(
  populationsOfRows: readonly PopulationOfRows[],
  rows: Int32Array,
  signal: AbortSignal,
): Promise<{ populations: CountedObjectPopulation[]; places: Uint16Array<ArrayBuffer> }> {
  const pacer = new Pacer(signal);
  const places = new Uint16Array(rows.length);
  const counts = new Float64Array(populationsOfRows.length);
  // The populations with priority are handled last and replace others.
  const byPriority = deepestFirst(populationsOfRows);
  const hidden = populationsOfRows.flatMap(({ hidden: isHidden }, index) => (isHidden ? [index] : []));
  for (const index of [...hidden, ...byPriority.toReversed()]) {
    const { rows: members, hidden: isHidden } = populationsOfRows[index] as PopulationOfRows;
    const code = isHidden ? 0 : index + 1;
    for (let start = 0; start < rows.length; start += OBJECTS_AT_ONCE) {
      if (pacer.isDue) await pacer.pause();
      const end = Math.min(rows.length, start + OBJECTS_AT_ONCE);
      counts[index] = (counts[index] as number) + colorPart(places, code, members, rows, start, end);
    }
  }
  const populations = populationsOfRows.map(({ rows: _, ...population }, index) => ({
    ...population,
    count: counts[index] ?? 0,
  }));
  return { populations, places };
}

/**
 * Sets the code, unless 0, of objects that are in a population. Returns their number. Handles
 * objects from `start` to `end`.
 */
function colorPart(
  places: Uint16Array,
  code: number,
  members: Uint32Array,
  rows: Int32Array,
  start: number,
  end: number,
): number {
  let count = 0;
  // Without unpredictable branches this takes a third of the time.
  const change = code === 0 ? 0 : -1;
  for (let object = start; object < end; object++) {
    const row = rows[object] as number;
    const isLinked = ~(row >> 31);
    const member = ((members[(row & isLinked) >>> 5] as number) >>> (row & 31)) & isLinked & 1;
    const place = places[object] as number;
    count += member;
    places[object] = place ^ ((place ^ code) & -member & change);
  }
  return count;
}

/** Finds objects in a population, with a bit per object. `rows` are the rows of the objects. */
export function membersOf(members: Uint32Array, rows: Int32Array): Uint32Array<ArrayBuffer> {
  const bits = new Uint32Array((rows.length + 31) >>> 5);
  for (let object = 0; object < rows.length; object++) {
    const row = rows[object] as number;
    if (row >= 0 && (((members[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1)
      bits[object >>> 5] = (bits[object >>> 5] as number) | (1 << (object & 31));
  }
  return bits;
}
