import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import type { TrackedJob } from '../../jobs/trackedJob';
import { jobLabel } from '../../app/trees/jobItem';
import { jobOfNode } from '../../app/trees/jobNodes';
import { command } from './command';
import { followAsPerson } from './steps/followAsPerson';
import { jobOf } from './steps/jobOf';
import type { ShowJobsParts } from './steps/showJobs';
import { stopAsPerson } from './steps/stopAsPerson';

/** Following jobs, and the list of those that run or ended recently. */
export function followCommands(parts: ShowJobsParts) {
  const { sessions } = parts;
  return {
    followJob: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the Jobs view')),
      person: async rest => {
        const session = await sessions.active();
        const job = await jobOf(session, rest);
        const what = jobOfNode(rest[0])?.masks ? 'masks' : 'analysis';
        if (job) await followAsPerson(session, { jobId: job.id, what, name: job.label });
      },
    }),
    stopFollowingJob: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the Jobs view')),
      person: async ([node]) => {
        const job = jobOfNode(node);
        if (!job) return;
        const name = jobLabel(vscode.l10n.t, job);
        await stopAsPerson(await sessions.active(), { jobId: job.id, what: 'analysis', name });
      },
    }),
    showJobs: command({
      options: {},
      program: async () => {
        const { tracker } = await sessions.active();
        return { jobs: tracker.jobs.map(followedForProgram) };
      },
      person: async () => (await import('./steps/showJobs')).showJobs(parts),
    }),
  };
}

/** A followed job as programs get it. */
function followedForProgram({ jobId, what, status, percentageCompleted }: TrackedJob) {
  return { jobId, masks: what === 'masks', status, percentageCompleted };
}
