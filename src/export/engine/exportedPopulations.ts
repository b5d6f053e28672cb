import { deepestFirst, type ObjectPopulation } from '../../linking/objectPopulations';
import type { ExportRequest } from '../exportRequest';

/** The populations of the objects of an image. */
interface PopulationsOfImage {
  /** Those that an object is in, in the order of their tree. */
  of(object: number): ObjectPopulation[];
  /** The population that colors the object, as on masks: see deepestFirst. */
  deciding(object: number): ObjectPopulation | undefined;
}

/** Undefined where populations aren't exported. */
export function populationsOfImage(
  image: number,
  all: ExportRequest['populations'],
): PopulationsOfImage | undefined {
  if (!all) return undefined;
  const populations = all.find(each => each.image === image)?.populations ?? [];
  const members = populations.map(each => new Uint8Array(each.members));
  const isIn = (place: number, object: number) =>
    (((members[place]?.[object >>> 3] ?? 0) >>> (object & 7)) & 1) === 1;
  const decisive = deepestFirst(populations);
  return {
    of: object => populations.filter((_, place) => isIn(place, object)),
    deciding: object => populations[decisive.find(place => isIn(place, object)) ?? -1],
  };
}
