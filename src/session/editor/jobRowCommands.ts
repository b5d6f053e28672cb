import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import { command } from '../../host/editor/command';
import { showInputBox } from '../../host/editor/boxes';
import { followAsPerson, stopAsPerson } from '../../jobs/editor/followAsPerson';
import { jobOf } from '../../jobs/editor/jobOf';
import { runAgainAsPerson } from '../../jobs/editor/submitSteps';
import { MAX_JOB_NAME } from '../../jobs/node/jobFacts';
import { jobOfNode } from '../../jobs/node/jobNodes';
import { imagesToRunAgain } from '../../jobs/node/selectedJobs';
import type { TrackedJob } from '../../jobs/node/jobState';
import { inputOfRun } from '../../jobs/node/runAgain';
import { jobLabel } from '../../jobs/node/treeItems';
import type { OpenJobDependencies } from './openJob';
import type { ShowJobsDependencies } from './showJobs';

interface JobRowCommandDependencies extends OpenJobDependencies, ShowJobsDependencies {}

/**
 * Commands of rows in the Jobs view: open, rename, follow, and run again the images without a
 * result. Also shows the running and recent jobs.
 */
export function jobRowCommands(dependencies: JobRowCommandDependencies) {
  const { sessions } = dependencies;
  const rejectProgram = () =>
    Promise.reject(new CodedError('bad-request', 'This command belongs to the Jobs view'));
  return {
    openJob: command({
      options: {},
      program: rejectProgram,
      person: async ([node]) => {
        const job = jobOfNode(node);
        if (!job) return;
        const { openJob } = await import('./openJob');
        await openJob(dependencies, await sessions.active(), job);
      },
    }),
    runImagesAgain: command({
      options: {},
      program: rejectProgram,
      person: commandArgs => runImagesAgain(dependencies, commandArgs),
    }),
    renameJob: command({
      options: {},
      program: rejectProgram,
      person: async ([node]) => {
        const job = jobOfNode(node);
        if (!job) return;
        const session = await sessions.active();
        const name = await showInputBox({
          title: vscode.l10n.t('Rename Job'),
          prompt: vscode.l10n.t(
            'The name is stored on this machine. Leave it empty to restore the original name.',
          ),
          value: jobLabel(vscode.l10n.t, job),
          validateInput: checkName,
        });
        if (name !== undefined) await session.jobFacts.add(job.id, { name: name.trim() });
      },
    }),
    followJob: command({
      options: {},
      program: rejectProgram,
      person: async commandArgs => {
        const session = await sessions.active();
        const job = await jobOf(session, commandArgs);
        const what = jobOfNode(commandArgs[0])?.masks ? 'masks' : 'analysis';
        if (job) await followAsPerson(session, { jobId: job.id, what, name: job.label });
      },
    }),
    stopFollowingJob: command({
      options: {},
      program: rejectProgram,
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
      person: async () => (await import('./showJobs')).showJobs(dependencies),
    }),
  };
}

/** Starts a new job with those images of a job that have no result. */
async function runImagesAgain(
  { sessions, log }: JobRowCommandDependencies,
  commandArgs: readonly unknown[],
): Promise<void> {
  const images = imagesToRunAgain(commandArgs);
  if (!images) return;
  const { job, items } = images;
  const session = await sessions.active();
  const { pipelineId, pipelineDescription } = await inputOfRun(session, job.id);
  await runAgainAsPerson({ log }, session, {
    pipelineId,
    ...(pipelineDescription && { pipelineDescription }),
    filesystemIds: items.map(({ id }) => id),
    items,
  });
}

function checkName(name: string): string | undefined {
  if (name.trim().length <= MAX_JOB_NAME) return undefined;
  return vscode.l10n.t('Enter at most {0} characters', MAX_JOB_NAME);
}

/** A followed job in the public API. */
function followedForProgram({ jobId, what, status, percentageCompleted }: TrackedJob) {
  return { jobId, masks: what === 'masks', status, percentageCompleted };
}
