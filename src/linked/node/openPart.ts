import { isCoded } from '../../base/errors';

/** A file of a result on disk. */
export interface PartFile {
  path: string;
  /** As `ResultSource.discard`, for this file. */
  discard?: (() => Promise<boolean>) | undefined;
}

export interface PartToOpen<F, T> {
  /** Downloads it if need be. */
  fetch: () => Promise<F>;
  filesOf: (fetched: F) => readonly PartFile[];
  open: (fetched: F) => Promise<T>;
}

/**
 * Fetches the files of a part and opens them. What proves damaged leaves the cache; where another download may help, all are
 * fetched and opened again, once. Throws what `fetch` and `open` throw.
 */
export async function openPart<F, T>({ fetch, filesOf, open }: PartToOpen<F, T>): Promise<T> {
  const first = await fetch();
  try {
    return await open(first);
  } catch (error) {
    if (!(await discardDamaged(filesOf(first), error))) throw error;
  }
  const second = await fetch();
  try {
    return await open(second);
  } catch (error) {
    await discardDamaged(filesOf(second), error);
    throw error;
  }
}

/** Removes from the cache what proved damaged. Whether fetching the files again may help. */
export async function discardDamaged(files: readonly PartFile[], error: unknown): Promise<boolean> {
  if (!isCoded(error, 'damaged-table') && !isCoded(error, 'damaged-archive')) return false;
  const damaged = files.filter(({ path }) => files.length === 1 || path === error.details.subject);
  const mayHelp = await Promise.all(damaged.map(async file => (await file.discard?.()) ?? false));
  return mayHelp.includes(true);
}
