import * as v from 'valibot';
import { request } from '../protocol/declarations';
import { index } from '../protocol/schemas';

/*
 * Populations of the objects table for those that paint or write objects. Which there are, and
 * whose rows, another subject knows; nobody needs it.
 */

/** A population by its name, after those of its parents. */
export interface ObjectPopulation {
  path: readonly string[];
  /** Its place in the list, which may be another one than in its tree. */
  listed: number;
  /** #rrggbb. */
  color: string;
  /** Objects don't have its color. */
  hidden?: true;
}

/** With the number of an image's objects that are in it, whatever the table's filters. */
export interface CountedObjectPopulation extends ObjectPopulation {
  count: number;
}

/** Requests of the masks page about populations; the panel passes them on to the engine. */
export const objectPopulationRequests = {
  /**
   * The populations in the order of their tree, and for objects of an image from `from` (else 0)
   * on, as many as one message holds, the one that colors each: uint16, its place in the list + 1,
   * 0 for none. `total` is how many objects the image has.
   */
  objectPopulations: request(v.object({ image: index, from: v.optional(index) })).resolvesTo<{
    populations: CountedObjectPopulation[];
    places: ArrayBuffer;
    total: number;
  }>(),
  /** Those that a row of the objects table is in, in the order of their tree. */
  populationsOfRow: request(v.object({ row: index })).resolvesTo<{ populations: ObjectPopulation[] }>(),
};

/**
 * Positions of populations in the order in which they decide what an object is: the deepest first,
 * and of these the first in the list. Hidden ones decide nothing.
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
