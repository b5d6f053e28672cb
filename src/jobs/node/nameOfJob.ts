import { jobName } from '../../words/jobName';
import type { Translate } from '../../words/translate';
import type { JobSession } from './jobSessions';

/** A job as its menus and results name it. */
export interface LabeledJob {
  id: string;
  label: string;
}

/**
 * The name that all views show for a job: given here, submitted, from the service, or from its ID.
 * `name` is the submitted one, if known.
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
