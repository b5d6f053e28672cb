/**
 * Progress of openTable (bytes), openMasks (entries), openBackgroundImage (rows of its overview),
 * writeMeasuredTable (objects), exportMasks, openCompared (entries, or bytes; `name` is the side)
 * and compareImages (images).
 */
export interface EngineProgress {
  what: 'table' | 'masks' | 'backgroundImage' | 'measured' | 'export' | 'compared' | 'comparison';
  name: string;
  /** As openBackgroundImage was given it. */
  image?: number;
  done: number;
  total: number;
}

/** Creates the progress callback of a long operation; `image` is the key of openBackgroundImage. */
export type StartProgress = (
  what: EngineProgress['what'],
  name: string,
  image?: number,
) => (done: number, total: number) => void;

/** Minimum time between two reports, in milliseconds. */
const MIN_INTERVAL = 50;

/** Sends progress at most every MIN_INTERVAL, and always its end. */
export function throttledProgress(send: (progress: EngineProgress) => void): StartProgress {
  return (what, name, image) => {
    let last = 0;
    return (done, total) => {
      const now = performance.now();
      if (now - last < MIN_INTERVAL && done < total) return;
      last = now;
      send({ what, name, ...(image !== undefined && { image }), done, total });
    };
  };
}
