import { hasEnded, type TrackedJob } from './trackedJob';

/** A job that runs, as the status bar and the list of jobs show it. */
export interface RunningJob {
  what: TrackedJob['what'];
  name: string;
  /** Rounded down. */
  percent: number;
  /** How long it may still take. Seconds. */
  secondsLeft?: number;
}

/** How far the running jobs are, over all accounts. */
export interface RunningJobs {
  /** Of the one nearest to its end. */
  percent: number;
  /** Whether the last request about any of them failed. */
  isUnreachable: boolean;
  /** At least one, the nearest to its end first. */
  jobs: RunningJob[];
}

/** Sums up the jobs that run, each under its name; undefined where none does. `now` is in milliseconds since 1970. */
export function runningJobs(
  tracked: readonly { job: TrackedJob; name: string }[],
  now: number,
): RunningJobs | undefined {
  const running = tracked.filter(({ job }) => !hasEnded(job));
  const jobs = running
    .map(({ job, name }) => runningJob(job, { name, now }))
    .sort((one, other) => other.percent - one.percent);
  const [nearest] = jobs;
  if (!nearest) return undefined;
  return { percent: nearest.percent, isUnreachable: running.some(({ job }) => job.unreachable), jobs };
}

/** A job as it is shown while it runs. `now` is in milliseconds since 1970. */
export function runningJob(
  { what, percentageCompleted, expectedEnd }: TrackedJob,
  { name, now }: { name: string; now: number },
): RunningJob {
  return {
    what,
    name,
    percent: Math.floor(percentageCompleted),
    ...(expectedEnd !== undefined && { secondsLeft: Math.max(0, expectedEnd - now) / 1000 }),
  };
}
