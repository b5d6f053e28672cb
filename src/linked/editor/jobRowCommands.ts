import * as vscode from 'vscode';
import { inputOfRun } from '../../jobs/node/runAgain';
import { MAX_JOB_NAME } from '../../jobs/node/jobFacts';
import { jobLabel } from '../../jobs/node/jobItem';
import { jobOfNode } from '../../jobs/node/jobNodes';
import { imagesToRunAgain } from '../../jobs/node/missingImages';
import { CodedError } from '../../base/errors';
import { showInputBox } from '../../host/editor/surfaces/inputBox';
import { command } from '../../host/editor/command';
import type { OpenJobParts } from './openJob';
import { runAgainAsPerson } from '../../jobs/editor/submitSteps';

export type JobRowCommandParts = OpenJobParts;

/** What only rows of the Jobs view offer: opening a job by a click, naming it, and running again what gave no result. */
export function jobRowCommands(parts: JobRowCommandParts) {
  const { sessions } = parts;
  const belongsToView = () =>
    Promise.reject(new CodedError('bad-request', 'This command belongs to the Jobs view'));
  return {
    openJob: command({
      options: {},
      program: belongsToView,
      person: async ([node]) => {
        const job = jobOfNode(node);
        if (!job) return;
        const { openJob } = await import('./openJob');
        await openJob(parts, await sessions.active(), job);
      },
    }),
    runImagesAgain: command({
      options: {},
      program: belongsToView,
      person: args => runImagesAgain(parts, args),
    }),
    renameJob: command({
      options: {},
      program: belongsToView,
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
  };
}

/** Images of one job that gave no result, as a new job. */
async function runImagesAgain(
  { sessions, log }: JobRowCommandParts,
  args: readonly unknown[],
): Promise<void> {
  const images = imagesToRunAgain(args);
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
