import { CodedError, isCoded } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import type { AnalysisClient } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import type { AnalysisJob } from '../../service/wire';

/** The size of a page of the list. */
const PAGE = 100;
/** Waits before each search for a job whose response was lost. Milliseconds; the service may still be creating it. */
export const SEARCH_WAITS = [0, 2000, 5000];

interface JobSearchParts {
  client: Pick<AnalysisClient, 'listAnalysisJobs'>;
  /** Whether a job is known as that of an earlier submit. */
  isKnown: (jobId: string) => Promise<boolean>;
  /** Waits between two searches. */
  delay: (milliseconds: number) => Promise<void>;
}

interface JobList {
  jobs: readonly AnalysisJob[];
  complete: boolean;
}

/** Finds the job that a submit created of which no response came, among the jobs of the account. */
export class JobSearch {
  constructor(private readonly parts: JobSearchParts) {}

  /** All jobs of the account; not `complete` where the list has more pages than are read. Throws what requests throw. */
  async list(signal?: AbortSignal): Promise<JobList> {
    const pager = new Pager<AnalysisJob>((startingAfter, wanted) =>
      this.parts.client.listAnalysisJobs(
        { limit: PAGE, ...(startingAfter !== undefined && { startingAfter }) },
        wanted,
      ),
    );
    while (!pager.done) await pager.loadMore(signal);
    return { jobs: pager.items, complete: !pager.cut };
  }

  /**
   * The job that a submit without a response created, if its name proves it. `before` are the jobs there were before it, where
   * that is known; `lost` is what came in place of a response. Throws `ambiguous-submit` with the jobs that may be it.
   */
  async find(
    name: string | undefined,
    before: readonly string[] | undefined,
    lost: unknown,
  ): Promise<string> {
    const known = new Set(before);
    for (const pause of SEARCH_WAITS) {
      if (pause > 0) await this.parts.delay(pause);
      let after: JobList;
      try {
        after = await this.list();
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
        continue;
      }
      // In a list that was not read to its end, any job may be an old one.
      if (!before) break;
      const fresh = await this.unknownJobs(after.jobs.filter(job => !known.has(job.id)));
      const named = name === undefined ? [] : fresh.filter(job => job.name === name);
      if (named.length === 1 && named[0]) return named[0].id;
      // A job with another name than the submitted one can't be it.
      const possible =
        named.length > 1 ? named : fresh.filter(job => name === undefined || job.name === undefined);
      const candidates = possible.map(({ id }) => id);
      if (candidates.length > 0) throw ambiguousSubmit(candidates, whyLost(lost));
    }
    throw ambiguousSubmit([], whyLost(lost));
  }

  /** Without the jobs of other submits, which may have the same name. */
  private async unknownJobs(jobs: readonly AnalysisJob[]): Promise<AnalysisJob[]> {
    const unknown: AnalysisJob[] = [];
    for (const job of jobs) if (!(await this.parts.isKnown(job.id))) unknown.push(job);
    return unknown;
  }
}

/** It is unknown whether the service accepted a submit. One of the candidates may be its job; `subject` is what it is about. */
export function ambiguousSubmit(candidates: string[], why: Reason | undefined, subject?: string): CodedError {
  return new CodedError('ambiguous-submit', 'The service may or may not have accepted the job', {
    candidates,
    ...(why && { reason: why }),
    ...(subject !== undefined && { subject }),
  });
}

/** Why a request has no response that can be used, as far as the error in its place says. */
export function whyLost(error: unknown): Reason | undefined {
  if (!isCoded(error)) return undefined;
  const { reason: why, status } = error.details;
  if (why) return why;
  if (status !== undefined) return reason('response-status', status);
  return error.code === 'timeout' ? reason('response-late') : undefined;
}
