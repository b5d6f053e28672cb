/**
 * Progress of openTable (bytes), openMasks (entries), openBackgroundImage (rows of its overview),
 * writeMeasuredTable (objects), exportMasks, openCompared (entries, or bytes; `name` is the side)
 * and compareImages (images).
 */
export interface EngineProgress {
  what: 'table' | 'masks' | 'backgroundImage' | 'measured' | 'export' | 'compared' | 'comparison';
  name: string;
  /** The `image` parameter of openBackgroundImage. */
  image?: number;
  done: number;
  total: number;
}

/** Creates the progress callback of a long operation; `image`: see EngineProgress. */
export type StartProgress = (
  what: EngineProgress['what'],
  name: string,
  image?: number,
) => (done: number, total: number) => void;

/** Minimum time between two reports, in milliseconds. */
const MIN_INTERVAL = 50;

/** Sends progress at most every MIN_INTERVAL; always sends the last report. */
export function throttledProgress(send: (progress: EngineProgress) => void): StartProgress {
  return (what, name, image) => {
    let lastSentAt = 0;
    return (done, total) => {
      const now = performance.now();
      if (now - lastSentAt < MIN_INTERVAL && done < total) return;
      lastSentAt = now;
      send({ what, name, ...(image !== undefined && { image }), done, total });
    };
  };
}
