import { isCoded, throwIfCanceled } from '../../base/errors';
import type { ResultPart } from '../../service/resultParts';
import type { ResultSource } from './resultSource';
import type { PartProgress } from './sessionEngine';

/** A file of a result on disk. */
export interface PartFile {
  path: string;
  /** Like `ResultSource.discard`, for this file. */
  discard?: (() => Promise<boolean>) | undefined;
}

interface PartToOpen<F, T> {
  /** Gets the part, with a download if needed. */
  fetch: () => Promise<F>;
  filesOf: (fetched: F) => readonly PartFile[];
  open: (fetched: F) => Promise<T>;
}

/**
 * Fetches a part's files and opens them. Removes damaged files from the cache; if another download
 * may help, fetches and opens all once more. Throws errors of `fetch` and `open`.
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

/** Removes damaged files from the cache. Returns whether fetching the files again may help. */
export async function discardDamaged(files: readonly PartFile[], error: unknown): Promise<boolean> {
  if (!isCoded(error, 'damaged-table') && !isCoded(error, 'damaged-archive')) return false;
  const damaged = files.filter(({ path }) => files.length === 1 || path === error.details.subject);
  const mayHelp = await Promise.all(damaged.map(async file => (await file.discard?.()) ?? false));
  return mayHelp.includes(true);
}

/** Minimum interval between two reports of progress, in milliseconds. */
const PROGRESS_INTERVAL = 80;

/** Gets parts of a source as files on disk, and reports the progress. */
export class PartDownloads {
  constructor(
    private readonly source: ResultSource,
    private readonly onProgress: (progress: PartProgress) => void,
  ) {}

  /** A part's file. `source` differs for joined results. Throws errors of `ResultSource.path`. */
  async file(
    part: ResultPart,
    signal: AbortSignal,
    source: Pick<ResultSource, 'path' | 'discard'> = this.source,
  ): Promise<PartFile> {
    let lastReport = 0;
    const path = await source.path(
      part,
      (done, total = 0) => {
        const now = performance.now();
        if (now - lastReport < PROGRESS_INTERVAL && done < total) return;
        lastReport = now;
        this.onProgress({ part, phase: 'downloading', done, total });
      },
      signal,
    );
    throwIfCanceled(signal);
    return { path, discard: source.discard && (async () => source.discard?.(part) ?? false) };
  }
}
