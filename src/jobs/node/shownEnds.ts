import type { TrackedJob } from './trackedJob';

/** A job that ended, with what a list of such jobs says of it. */
export interface ShownEnd<E extends { job: TrackedJob }> {
  ended: E;
  /** Which tables it has; undefined where that isn't known. */
  tables: TrackedJob['results'];
}

/** The ends to list, in their order. A job that was analyzed and whose masks were generated is listed once. */
export function shownEnds<E extends { job: TrackedJob }>(ends: readonly E[]): ShownEnd<E>[] {
  const succeeded = ends.filter(({ job }) => job.phase === 'succeeded');
  const endOf = (jobId: string, what: TrackedJob['what']) =>
    succeeded.find(({ job }) => job.jobId === jobId && job.what === what);
  return ends
    .filter(({ job: { jobId, what, phase } }) => {
      return what === 'masks' || phase !== 'succeeded' || !endOf(jobId, 'masks');
    })
    .map(ended => ({ ended, tables: ended.job.results ?? endOf(ended.job.jobId, 'analysis')?.job.results }));
}
