import { Pager } from '../../service/node/pager';
import type { AnalysisJob } from '../../service/wire';
import type { JobFact } from './jobFacts';
import type { JobSession } from './jobSessions';
import { listedPhase, listedResults } from './jobState';
import type { SubmittedJob } from './runRecords';

/** A job that a person can select. */
export interface SelectableJob {
  id: string;
  resource: AnalysisJob;
  /** The stored facts, if it was submitted from this machine. */
  submitted: SubmittedJob | undefined;
  /** Further facts that are stored here. */
  fact: JobFact;
}

/** Which jobs to list: succeeded jobs, or jobs whose input is known here. */
export type JobFilter = 'succeeded' | 'known';

/** The account's jobs to select from, loaded page by page: all, or only useful ones. */
export class SelectableJobs {
  private readonly pager: Pager<SelectableJob>;

  constructor(
    { client, submittedJobs, jobFacts }: Pick<JobSession, 'client' | 'submittedJobs' | 'jobFacts'>,
    private readonly filter?: JobFilter,
  ) {
    this.pager = new Pager(async (startingAfter, signal) => {
      const page = await client.listAnalysisJobs({ ...(startingAfter && { startingAfter }) }, signal);
      const results = page.results.map(async resource => {
        const { id } = resource;
        jobFacts.list(resource);
        return { id, resource, submitted: await submittedJobs.find(id), fact: jobFacts.get(id) };
      });
      return { ...page, results: await Promise.all(results) };
    });
  }

  get items(): readonly SelectableJob[] {
    return this.pager.items.filter(({ resource, submitted }) => {
      if (this.filter === 'known') return submitted !== undefined && submitted.filesystemIds.length > 0;
      return this.filter === undefined || listedPhase(resource) === 'succeeded';
    });
  }

  get mayHaveMore(): boolean {
    return this.pager.mayHaveMore;
  }

  loadMore(signal?: AbortSignal): Promise<SelectableJob[]> {
    return this.pager.loadMore(signal);
  }
}

/** The job that was submitted last; without known times, the first listed job. */
export function latestJob(jobs: readonly SelectableJob[]): SelectableJob | undefined {
  const momentOf = ({ submitted, resource }: SelectableJob) =>
    Date.parse(submitted?.submittedAt ?? resource.createdAt ?? '') || 0;
  let [latest] = jobs;
  for (const job of jobs) if (latest && momentOf(job) > momentOf(latest)) latest = job;
  return latest;
}

/** A job in the public API. */
type JobWithoutLinks = Omit<AnalysisJob, 'objectsDataCSVUrl' | 'aggregateDataCSVUrl'> & {
  hasObjects: boolean;
  hasAggregate: boolean;
};

/** A listed job for programs. Links are secrets, so it has only flags for the results. */
export function jobWithoutLinks(listed: AnalysisJob): JobWithoutLinks {
  const { objects, aggregate } = listedResults(listed);
  const job = { ...listed };
  delete job.objectsDataCSVUrl;
  delete job.aggregateDataCSVUrl;
  return { ...job, hasObjects: objects, hasAggregate: aggregate };
}
