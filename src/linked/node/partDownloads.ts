import { throwIfCanceled } from '../../base/errors';
import type { ResultPart } from '../../service/resultParts';
import type { PartFile } from './openPart';
import type { PartProgress } from './partProgress';
import type { ResultSource } from './resultSource';

/** Minimum interval between two reports of progress, in milliseconds. */
const PROGRESS_INTERVAL = 80;

/** Has a source provide its parts as files on disk, and reports how far that is. */
export class PartDownloads {
  constructor(
    private readonly source: ResultSource,
    private readonly onProgress: (progress: PartProgress) => void,
  ) {}

  /** The file of a part; of one of several results that are shown as one, by its own `source`. Throws what `path` of the source throws. */
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
