import type { AnalysisClient, NewJob } from '../api/client';
import { Pager } from '../api/pager';
import type { AnalysisJob, MasksJob } from '../api/wire';
import { delay as realDelay } from '../base/delay';
import { CodedError, isCoded, throwIfCancelled } from '../base/errors';
import { untilCancelled } from '../base/untilCancelled';
import { masksPhase } from './jobStatus';

type GuardedClient = Pick<
  AnalysisClient,
  'listAnalysisJobs' | 'submitAnalysisJob' | 'masksJob' | 'submitMasksJob'
>;

export interface SubmitGuardOptions {
  /** For tests: how to wait between two looks for a job. */
  delay?: (milliseconds: number) => Promise<void>;
}

/** A submit on its way, and how many wait for it. */
interface Attempt<T> {
  work: Promise<T>;
  waiting: number;
  posted: boolean;
}

const PAGE = 100;
/** Pauses before each look for a job whose answer was lost; the service may still be making it. */
const LOOKS = [0, 2000, 5000];

/**
 * Submits jobs, which cost money, and never sends one twice by itself. Identical submits at a time become one. A cancel
 * frees the caller but does not call back what was sent.
 */
export class SubmitGuard {
  private readonly attempts = new Map<string, Attempt<unknown>>();
  /** What came of submits whose callers had left: candidates for the next identical one. */
  private readonly unclaimed = new Map<string, string[]>();
  private readonly delay: (milliseconds: number) => Promise<void>;

  constructor(
    private readonly client: GuardedClient,
    { delay = realDelay }: SubmitGuardOptions = {},
  ) {
    this.delay = delay;
  }

  /**
   * Submits an analysis job. Throws `ambiguous-submit` when it cannot be known whether the service made it, with the jobs
   * that may be it in `details.candidates`; calling again then submits anew.
   */
  async submit(request: NewJob, signal?: AbortSignal): Promise<{ jobId: string }> {
    const { pipelineId, filesystemIds, name } = request;
    const key = JSON.stringify([pipelineId, [...filesystemIds].sort(), name]);
    const unclaimed = this.unclaimed.get(key);
    if (unclaimed) {
      this.unclaimed.delete(key);
      throw ambiguous(unclaimed, 'The same was submitted before, and cancelled after it was sent');
    }
    return this.share(
      key,
      posting => this.submitOnce(request, signal, posting),
      signal,
      (outcome, error) => {
        if (outcome) this.unclaimed.set(key, [outcome.jobId]);
        else if (isCoded(error, 'ambiguous-submit')) this.unclaimed.set(key, error.details.candidates ?? []);
      },
    );
  }

  /**
   * Asks for masks of a finished job, or returns the masks job that exists. Throws `ambiguous-submit` when it cannot be
   * known whether the service has begun.
   */
  submitMasks(jobId: string, signal?: AbortSignal): Promise<MasksJob> {
    return this.share(`masks ${jobId}`, posting => this.submitMasksOnce(jobId, signal, posting), signal);
  }

  private async submitOnce(
    request: NewJob,
    signal: AbortSignal | undefined,
    posting: () => void,
  ): Promise<{ jobId: string }> {
    const before = await this.listJobs(signal);
    posting();
    try {
      return { jobId: (await this.client.submitAnalysisJob(request)).id };
    } catch (error) {
      if (!mayHaveArrived(error)) throw error;
      return { jobId: await this.findSubmitted(request.name, before, error) };
    }
  }

  /** The job that an unanswered submit made, if its name proves it. */
  private async findSubmitted(name: string | undefined, before: JobList, lost: unknown): Promise<string> {
    const known = new Set(before.jobs.map(({ id }) => id));
    for (const pause of LOOKS) {
      if (pause > 0) await this.delay(pause);
      let after: JobList;
      try {
        after = await this.listJobs(undefined);
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
        continue;
      }
      // Of a list that was not read to its end nobody knows what is new in it.
      if (!before.complete) break;
      const fresh = after.jobs.filter(job => !known.has(job.id));
      const named = name === undefined ? [] : fresh.filter(job => job.name === name);
      if (named.length === 1 && named[0]) return named[0].id;
      // A job that bears another name than the one we gave is not ours.
      const possible =
        named.length > 1 ? named : fresh.filter(job => name === undefined || job.name === undefined);
      const candidates = possible.map(({ id }) => id);
      if (candidates.length > 0) throw ambiguous(candidates, reasonOf(lost));
    }
    throw ambiguous([], reasonOf(lost));
  }

  private async listJobs(signal: AbortSignal | undefined): Promise<JobList> {
    const pager = new Pager<AnalysisJob>((startingAfter, wanted) =>
      this.client.listAnalysisJobs(
        { limit: PAGE, ...(startingAfter !== undefined && { startingAfter }) },
        wanted,
      ),
    );
    while (!pager.done) await pager.loadMore(signal);
    return { jobs: pager.items, complete: !pager.cut };
  }

  private async submitMasksOnce(
    jobId: string,
    signal: AbortSignal | undefined,
    posting: () => void,
  ): Promise<MasksJob> {
    const before = await this.existingMasks(jobId, signal);
    if (before && masksPhase(before) !== 'failed') return before;
    throwIfCancelled(signal);
    posting();
    try {
      return await this.client.submitMasksJob(jobId);
    } catch (error) {
      if (!mayHaveArrived(error)) throw error;
      return this.findMasks(jobId, error);
    }
  }

  private async findMasks(jobId: string, lost: unknown): Promise<MasksJob> {
    for (const pause of LOOKS) {
      if (pause > 0) await this.delay(pause);
      try {
        const found = await this.existingMasks(jobId, undefined);
        // One that had failed before and still says so does not tell whether a second was begun.
        if (found && masksPhase(found) !== 'failed') return found;
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
      }
    }
    throw ambiguous([], reasonOf(lost), jobId);
  }

  private async existingMasks(jobId: string, signal: AbortSignal | undefined): Promise<MasksJob | undefined> {
    try {
      return await this.client.masksJob(jobId, signal);
    } catch (error) {
      if (isCoded(error, 'not-found') || isCoded(error, 'bad-request')) return undefined;
      throw error;
    }
  }

  /** Joins the same attempt if one is under way, else makes it. `orphaned` hears how one ended that nobody waits for. */
  private async share<T>(
    key: string,
    run: (posting: () => void) => Promise<T>,
    signal: AbortSignal | undefined,
    orphaned: (outcome: T | undefined, error: unknown) => void = () => undefined,
  ): Promise<T> {
    for (;;) {
      throwIfCancelled(signal);
      const running = this.attempts.get(key) as Attempt<T> | undefined;
      const attempt = running ?? this.begin(key, run, orphaned);
      attempt.waiting += 1;
      try {
        return await untilCancelled(attempt.work, signal);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) throw error;
        if (signal?.aborted)
          throw new CodedError('cancelled', error.message, attempt.posted ? { sent: true } : {});
        // The one we joined was cancelled before it was sent: that is not our cancel.
        if (!running) throw error;
      } finally {
        attempt.waiting -= 1;
      }
    }
  }

  private begin<T>(
    key: string,
    run: (posting: () => void) => Promise<T>,
    orphaned: (outcome: T | undefined, error: unknown) => void,
  ): Attempt<T> {
    const progress = { waiting: 0, posted: false };
    const work = run(() => {
      progress.posted = true;
    }).finally(() => this.attempts.delete(key));
    const attempt: Attempt<T> = Object.assign(progress, { work });
    work.then(
      outcome => attempt.waiting === 0 && orphaned(outcome, undefined),
      error => attempt.waiting === 0 && orphaned(undefined, error),
    );
    this.attempts.set(key, attempt);
    return attempt;
  }
}

interface JobList {
  jobs: readonly AnalysisJob[];
  complete: boolean;
}

/** Whether a submit that failed may have reached the service; after the end of the client nobody can look. */
function mayHaveArrived(error: unknown): boolean {
  if (!isCoded(error)) return true;
  return error.code !== 'cancelled' && (error.details.sent === true || error.code === 'unexpected-response');
}

function reasonOf(error: unknown): string | undefined {
  return isCoded(error) ? (error.details.reason ?? error.message) : undefined;
}

function ambiguous(candidates: string[], reason: string | undefined, subject?: string): CodedError {
  return new CodedError('ambiguous-submit', 'It is not known whether the service accepted the job', {
    candidates,
    ...(reason !== undefined && { reason }),
    ...(subject !== undefined && { subject }),
  });
}
