import { ImageIndex, type ImageOfText, type NamedImage, type TextMatch } from '../../masks/imageMatching';
import { pathOfItem, type RunItem, type RunOutcome } from './runs/runRecord';

/** The images that the results of a job name. */
export interface ResultImages {
  /** Texts of the aggregate table's image column. */
  aggregate: readonly string[];
  archive: readonly NamedImage[];
}

/**
 * Which of the submitted images gave no result: those that neither the aggregate table nor the masks archive names. An image that
 * only the objects table lacks has no objects. Where names are unknown or ambiguous, where the results name images in another
 * way, or where items are folders, nothing can be said. Its steps are short: with tens of thousands of images all of them take
 * some tenths of a second, and everything else in the extension host would wait.
 */
export function* compareRun(
  items: readonly RunItem[],
  { aggregate, archive }: ResultImages,
): Generator<void, RunOutcome> {
  if (items.some(({ isFolder }) => isFolder)) return { compared: false, why: 'folders' };
  const index = new ImageIndex();
  const paths = new Set<string>();
  for (const item of items) {
    const path = pathOfItem(item);
    if (path === '') return { compared: false, why: 'names' };
    paths.add(path.normalize('NFC'));
    index.add({ id: item.id, filename: path });
    yield;
  }
  // Each text would be compared with all of one name.
  if (paths.size < items.length) return { compared: false, why: 'names' };
  const itemIds = new Set(items.map(({ id }) => id));
  const fromTable = yield* matched(index, new Set(aggregate));
  const fromArchive = yield* matched(
    index,
    archive.map(({ id, filename }) => (itemIds.has(id) ? id : filename)),
  );
  if (fromTable.includes('ambiguous') || fromArchive.includes('ambiguous'))
    return { compared: false, why: 'names' };
  const seen = new Uint8Array(items.length);
  for (const found of [fromTable, fromArchive])
    for (const image of found) if (typeof image === 'number') seen[image] = 1;
  const withoutResult = items.filter((_, index) => seen[index] === 0).map(({ id }) => id);
  // An image of the archive that is none of the items may be one of those that seem to be missing.
  const isUnknown = archive.some(({ filename }, at) => filename.trim() !== '' && fromArchive[at] === 'none');
  const isAnyKnown = seen.includes(1);
  const hasImages = aggregate.length + archive.length > 0;
  if (withoutResult.length > 0 && (isUnknown || (hasImages && !isAnyKnown)))
    return { compared: false, why: 'names' };
  return { compared: true, withoutResult };
}

function* matched(index: ImageIndex, texts: Iterable<string>): Generator<void, ImageOfText[]> {
  const found: TextMatch[] = [];
  for (const text of texts) {
    found.push(index.match(text));
    yield;
  }
  return index.best(found);
}
