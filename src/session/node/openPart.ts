import { isCoded, throwIfCanceled } from '../../base/errors';
import type { ResultPart } from '../../service/resultParts';
import type { ResultSource } from './resultSource';
import type { PartProgress } from './sessionEngine';

/** A file of a result on disk. */
export interface PartFile {
  path: string;
  /** As `ResultSource.discard`, for this file. */
  discard?: (() => Promise<boolean>) | undefined;
}

interface PartToOpen<F, T> {
  /** Downloads it if need be. */
  fetch: () => Promise<F>;
  filesOf: (fetched: F) => readonly PartFile[];
  open: (fetched: F) => Promise<T>;
}

/**
 * Fetches a part's files and opens them. Damaged files leave the cache; if another download may
 * help, all are fetched and opened once more. Throws what `fetch` and `open` throw.
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

/** Minimum interval between two reports of progress, in milliseconds. */
const PROGRESS_INTERVAL = 80;

/** Has a source provide its parts as files on disk, and reports how far that is. */
export class PartDownloads {
  constructor(
    private readonly source: ResultSource,
    private readonly onProgress: (progress: PartProgress) => void,
  ) {}

  /** A part's file; of results shown as one, by its own `source`. Throws as `path` does. */
  async file(
    part: ResultPart,
    signal: AbortSignal,
    source: Pick<ResultSource, 'path' | 'discard'> = this.source,
  ): Promise<PartFile> {
    let last = 0;
    const path = await source.path(
      part,
      (done, total = 0) => {
        const now = performance.now();
        if (now - last < PROGRESS_INTERVAL && done < total) return;
        last = now;
        this.onProgress({ part, phase: 'downloading', done, total });
      },
      signal,
    );
    throwIfCanceled(signal);
    return { path, discard: source.discard && (async () => source.discard?.(part) ?? false) };
  }
}
