import type { EngineSide } from '../protocol/engineProtocol';

export type Progress = EngineSide['events']['progress'];

/** Makes the function that a long piece of work tells its progress to. */
export type ProgressOf = (what: Progress['what'], name: string) => (done: number, total: number) => void;

/** Least time between two tellings of progress, in milliseconds. */
const INTERVAL = 50;

/** Tells progress often enough to be seen, and its end always. */
export function progressTo(tell: (progress: Progress) => void): ProgressOf {
  return (what, name) => {
    let last = 0;
    return (done, total) => {
      const now = performance.now();
      if (now - last < INTERVAL && done < total) return;
      last = now;
      tell({ what, name, done, total });
    };
  };
}
