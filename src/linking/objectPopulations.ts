import * as v from 'valibot';
import { request } from '../protocol/declarations';
import { index } from '../protocol/schemas';

/*
 * Populations of the objects table, to paint and to export objects. They are optional, and provided
 * by another part.
 */

/** A population: its name, after the names of its parents. */
export interface ObjectPopulation {
  path: readonly string[];
  /** Its position in the list, which may differ from its position in the tree. */
  listed: number;
  /** #rrggbb. */
  color: string;
  /** Its color isn't painted. */
  hidden?: true;
}

/** A population with the number of objects of an image in it. The table's filters are ignored. */
export interface CountedObjectPopulation extends ObjectPopulation {
  count: number;
}

/** Requests of the masks page about populations; the panel passes them on to the engine. */
export const objectPopulationRequests = {
  /**
   * The populations in the order of their tree, and for each object of an image the population that
   * colors it: uint16, the position in the list + 1, or 0. Objects start at `from` (default 0), and
   * end at the limit of a message. `total` is the number of objects of the image.
   */
  objectPopulations: request(v.object({ image: index, from: v.optional(index) })).resolvesTo<{
    populations: CountedObjectPopulation[];
    places: ArrayBuffer;
    total: number;
  }>(),
  /** The populations of a row of the objects table, in the order of their tree. */
  populationsOfRow: request(v.object({ row: index })).resolvesTo<{ populations: ObjectPopulation[] }>(),
};

/**
 * Positions of populations by decreasing priority of their color: deepest first, then by position
 * in the list. Hidden populations are left out.
 */
export function deepestFirst(
  populations: readonly Pick<ObjectPopulation, 'path' | 'listed' | 'hidden'>[],
): number[] {
  return populations
    .flatMap(({ path, listed, hidden }, position) =>
      hidden ? [] : [{ position, listed, depth: path.length }],
    )
    .sort((a, b) => b.depth - a.depth || a.listed - b.listed)
    .map(({ position }) => position);
}
