import type { ArchiveImage } from '../../masksSummary';
import type { KnownImage } from '../masks';

type Image = Pick<ArchiveImage, 'id' | 'filename' | 'width' | 'height' | 'isPartial' | 'failure'>;

/** An image of which no objects are known: they are still to be read, or can't be. `entry` is its position in the archive. */
export function imageWithoutObjects(image: Image, entry: number): KnownImage {
  return {
    summary: {
      ...image,
      index: entry,
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
    },
    identities: { ids: new Float64Array(0), longIds: new Map(), areas: new Float64Array(0) },
    entry,
  };
}
