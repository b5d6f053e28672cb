import * as v from 'valibot';
import { request } from '../protocol/declarations';
import { index } from '../protocol/schemas';

/*
 * Populations of the objects table for painting and writing objects. Another subject lists them
 * with their rows; they are optional.
 */

/** A population by its name, with its parents' names before. */
export interface ObjectPopulation {
  path: readonly string[];
  /** Its position in the list, which may differ from that in its tree. */
  listed: number;
  /** #rrggbb. */
  color: string;
  /** Objects don't have its color. */
  hidden?: true;
}

/** With the number of an image's objects in it, ignoring the table's filters. */
export interface CountedObjectPopulation extends ObjectPopulation {
  count: number;
}

/** Requests of the masks page about populations; the panel passes them on to the engine. */
export const objectPopulationRequests = {
  /**
   * The populations in the order of their tree, and the one that colors each object of an image
   * from `from` (else 0) on, as many as one message holds: uint16, its position in the list + 1, 0
   * for none. `total` is the image's number of objects.
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
 * Positions of populations in deciding order: deepest first, then by position in the list. Hidden
 * ones decide nothing.
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
