import { jobOfNode } from '../../app/trees/jobNodes';
import { command } from './command';
import { followAsPerson } from './followAsPerson';
import { jobOf } from './jobOf';
import { showJobs, type ShowJobsParts } from './showJobs';

/** Following jobs, and the list of those that run or ended lately. */
export function followCommands(parts: ShowJobsParts) {
  const { sessions } = parts;
  return {
    followJob: command({
      options: {},
      program: () => Promise.resolve(undefined),
      person: async rest => {
        const session = await sessions.active();
        const job = await jobOf(session, rest);
        const what = jobOfNode(rest[0])?.masks ? 'masks' : 'analysis';
        if (job) await followAsPerson(session, { jobId: job.id, what, name: job.label });
      },
    }),
    showJobs: command({
      options: {},
      program: async () => ({
        jobs: (await sessions.active()).tracker.jobs.map(({ jobId, what, status, percentageCompleted }) => ({
          ...{ jobId, masks: what === 'masks', status, percentageCompleted },
        })),
      }),
      person: () => Promise.resolve(showJobs(parts)),
    }),
  };
}
