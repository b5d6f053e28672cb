import { deepestFirst, type ObjectPopulation } from '../../linking/objectPopulations';
import type { ExportRequest } from '../exportRequest';

/** The populations of the objects of an image. */
interface PopulationsOfImage {
  /** The populations that contain an object, in the order of their tree. */
  of(object: number): ObjectPopulation[];
  /** The population that colors the object, as on masks: see deepestFirst. */
  deciding(object: number): ObjectPopulation | undefined;
}

/** The populations of an image's objects; undefined if populations aren't exported. */
export function populationsOfImage(
  image: number,
  requested: ExportRequest['populations'],
): PopulationsOfImage | undefined {
  if (!requested) return undefined;
  const populations = requested.find(entry => entry.image === image)?.populations ?? [];
  const members = populations.map(population => new Uint8Array(population.members));
  const isIn = (position: number, object: number) =>
    (((members[position]?.[object >>> 3] ?? 0) >>> (object & 7)) & 1) === 1;
  const positionsByDepth = deepestFirst(populations);
  return {
    of: object => populations.filter((_, position) => isIn(position, object)),
    deciding: object => populations[positionsByDepth.find(position => isIn(position, object)) ?? -1],
  };
}
