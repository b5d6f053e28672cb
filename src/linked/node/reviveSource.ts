import type { JobSessions } from '../../jobs/node/jobSessions';
import { FileResult } from './fileResult';
import { JobResult } from './jobResult';
import { JoinedJobsResult } from './joinedJobsResult';
import type { FileUri, ResultSource } from './resultSource';
import type { LabeledJob } from '../../jobs/node/nameOfJob';

export interface ReviveParts {
  sessions: Pick<JobSessions, 'of' | 'all'>;
  parseUri: (text: string) => FileUri;
  /** Name of the column that names the job in a joined table, in the user's language. */
  jobColumn: string;
}

/** The source that was stored (see StoredSource), after a reload; undefined when what was stored isn't valid. */
export function reviveSource(
  { sessions, parseUri, jobColumn }: ReviveParts,
  stored: unknown,
): ResultSource | undefined {
  const fields = (stored ?? {}) as Partial<Record<string, unknown>>;
  const { kind, uri, holds, accountId, jobId, title } = fields;
  if (kind === 'file' && typeof uri === 'string') {
    return new FileResult(parseUri(uri), holds === 'masks' ? 'masks' : 'file');
  }
  if (kind === 'jobs' && typeof accountId === 'string' && Array.isArray(fields['jobs'])) {
    const jobs = (fields['jobs'] as unknown[]).filter(isLabeledJob);
    return jobs.length > 0 ? new JoinedJobsResult({ sessions, accountId, jobs, jobColumn }) : undefined;
  }
  if (kind !== 'job' || typeof accountId !== 'string' || typeof jobId !== 'string') return undefined;
  // It may have been renamed since its title was stored.
  const named = sessions.all.find(({ account }) => account.id === accountId)?.jobFacts.get(jobId).name;
  return new JobResult(sessions, accountId, jobId, named || (typeof title === 'string' ? title : jobId));
}

function isLabeledJob(job: unknown): job is LabeledJob {
  const { id, label } = (job ?? {}) as { id?: unknown; label?: unknown };
  return typeof id === 'string' && typeof label === 'string';
}
