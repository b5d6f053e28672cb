import { keyOf, type JobKey } from '../pollRounds';
import type { TrackedJob } from '../trackedJob';

const MAX_ENDS = 200;

/** The jobs that ended last, by which a window that has not heard of an end yet is told instead of tracking it again. */
export class RecentEnds {
  private readonly ends = new Map<string, { job: TrackedJob; endedAt: number }>();

  add(job: TrackedJob, now: number): void {
    const key = keyOf(job);
    this.ends.delete(key);
    this.ends.set(key, { job, endedAt: now });
    const [oldest] = this.ends.keys();
    if (this.ends.size > MAX_ENDS && oldest !== undefined) this.ends.delete(oldest);
  }

  /** The end of a job that was tracked since then. Masks that are requested again end again. */
  find(job: JobKey, startedAt: number): TrackedJob | undefined {
    const end = this.ends.get(keyOf(job));
    return end && end.endedAt >= startedAt ? end.job : undefined;
  }
}
