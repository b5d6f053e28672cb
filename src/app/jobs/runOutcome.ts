import { matchImages, type NamedImage } from '../../formats/masks/imageMatching';
import type { RunItem, RunOutcome } from '../../jobs/runs/runRecord';

/** The images that the results of a job name. */
export interface ResultImages {
  /** Texts of the aggregate table's image column. */
  aggregate: readonly string[];
  archive: readonly NamedImage[];
}

/**
 * Which of the submitted images gave no result: those that neither the aggregate table nor the masks archive names. An image that
 * only the objects table lacks has no objects. Where names are unknown or ambiguous, where the results name images in another
 * way, or where items are folders, nothing can be said.
 */
export function compareRun(items: readonly RunItem[], { aggregate, archive }: ResultImages): RunOutcome {
  if (items.some(({ isFolder }) => isFolder)) return { compared: false, why: 'folders' };
  const images = items.flatMap(({ id, name }) => (name === undefined ? [] : [{ id, filename: name }]));
  if (images.length < items.length) return { compared: false, why: 'names' };
  const fromTable = matchImages([...new Set(aggregate)], images);
  const fromArchive = matchImages(
    archive.map(({ filename }) => filename),
    images,
  );
  if ([...fromTable, ...fromArchive].includes('ambiguous') || hasTwins(images))
    return { compared: false, why: 'names' };
  const seen = new Set<unknown>([...fromTable, ...fromArchive]);
  const withoutResult = items.filter((_, index) => !seen.has(index)).map(({ id }) => id);
  // An image of the archive that is none of the items may be one of those that seem to be missing.
  const isUnknown = archive.some(({ filename }, at) => filename.trim() !== '' && fromArchive[at] === 'none');
  const isAnyKnown = items.some((_, index) => seen.has(index));
  const hasImages = aggregate.length + archive.length > 0;
  if (withoutResult.length > 0 && (isUnknown || (hasImages && !isAnyKnown)))
    return { compared: false, why: 'names' };
  return { compared: true, withoutResult };
}

function hasTwins(images: readonly NamedImage[]): boolean {
  return new Set(images.map(({ filename }) => filename.normalize('NFC'))).size < images.length;
}
