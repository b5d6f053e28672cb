import { jobName } from '../../words/jobName';
import type { Translate } from '../../words/translate';
import type { JobSession } from './jobSessions';

/** A job with its label in menus and results. */
export interface LabeledJob {
  id: string;
  label: string;
}

/**
 * The name that all views show for a job: the name given here, else the submitted name (`name`),
 * else the service's, else one from its ID.
 */
export function nameOfJob(
  t: Translate,
  { jobFacts }: Pick<JobSession, 'jobFacts'>,
  { jobId, name }: { jobId: string; name?: string | undefined },
): string {
  return jobName(t, jobId, jobFacts.get(jobId).name, name, jobFacts.listedName(jobId));
}

/** Like nameOfJob, but looks up the submitted name. */
export async function findNameOfJob(
  t: Translate,
  session: Pick<JobSession, 'jobFacts' | 'submittedJobs'>,
  jobId: string,
): Promise<string> {
  const submitted = await session.submittedJobs.find(jobId);
  return nameOfJob(t, session, { jobId, name: submitted?.name });
}
