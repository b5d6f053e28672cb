import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import type { TrackedJob } from '../../jobs/node/trackedJob';
import { jobLabel } from '../../jobs/node/jobItem';
import { jobOfNode } from '../../jobs/node/jobNodes';
import { command } from '../../host/editor/command';
import { followAsPerson } from '../../jobs/editor/followAsPerson';
import { jobOf } from '../../jobs/editor/jobOf';
import type { ShowJobsParts } from './showJobs';
import { stopAsPerson } from '../../jobs/editor/stopAsPerson';

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
      person: async () => (await import('./showJobs')).showJobs(parts),
    }),
  };
}

/** A followed job as programs get it. */
function followedForProgram({ jobId, what, status, percentageCompleted }: TrackedJob) {
  return { jobId, masks: what === 'masks', status, percentageCompleted };
}
