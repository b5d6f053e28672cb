import { jobName } from '../../words/jobName';
import type { Translate } from '../../words/translate';
import type { JobSession } from './jobSessions';

/** A job as its menus and results name it. */
export interface LabeledJob {
  id: string;
  label: string;
}

/**
 * The name of a job, the same wherever it is shown: the one given here, the one it was submitted
 * with, the service's, or one made of its ID. `name` is the one it was submitted with, where that
 * is known.
 */
export function nameOfJob(
  t: Translate,
  { jobFacts }: Pick<JobSession, 'jobFacts'>,
  { jobId, name }: { jobId: string; name?: string | undefined },
): string {
  return jobName(t, jobId, jobFacts.get(jobId).name, name, jobFacts.listedName(jobId));
}

/** As nameOfJob, for a job's ID alone. */
export async function findNameOfJob(
  t: Translate,
  session: Pick<JobSession, 'jobFacts' | 'submittedJobs'>,
  jobId: string,
): Promise<string> {
  const submitted = await session.submittedJobs.find(jobId);
  return nameOfJob(t, session, { jobId, name: submitted?.name });
}
