import * as vscode from 'vscode';
import { runInSlices } from '../../base/node/slices';
import type { Log } from '../../base/log';
import { showWarningMessage } from '../../host/editor/messages';
import { showQuickPick } from '../../host/editor/boxes';
import { withoutResultText } from '../../words/resultWords';
import { imagesWithoutResult } from '../node/accountRuns';
import type { SessionJob, SessionRun } from '../node/jobSessions';
import { nameOfJob } from '../node/nameOfJob';
import { inputOfRun } from '../node/runAgain';
import { generateAsPerson } from './generateMasks';
import { runAgainAsPerson } from './submitSteps';

/** A button that runs a failed job again. */
export interface RunAgainButton {
  label: string;
  act: () => Promise<void>;
}

/**
 * The button that runs a failed job, or its failed masks, again. Undefined if the job may still
 * run, or its input isn't known here.
 */
export async function runAgainButton(
  dependencies: { log: Log },
  { session, job: { jobId, what, phase } }: SessionJob,
  name: string,
): Promise<RunAgainButton | undefined> {
  if (phase !== 'failed') return undefined;
  if (what === 'masks')
    return {
      label: vscode.l10n.t('Generate Masks…'),
      act: () => generateAsPerson(session, { id: jobId, label: name }),
    };
  const submitted = await session.submittedJobs.find(jobId);
  if (!submitted || submitted.filesystemIds.length === 0) return undefined;
  return {
    label: vscode.l10n.t('Run Again…'),
    act: async () => runAgainAsPerson(dependencies, session, await inputOfRun(session, jobId)),
  };
}

/** Reports images of a run that have no result, and offers to run them again. */
export async function reportRunOutcome(
  dependencies: { log: Log },
  { session, record, outcome }: SessionRun,
): Promise<void> {
  const show = vscode.l10n.t('Show Images');
  const name = nameOfJob(vscode.l10n.t, session, record);
  const images = await runInSlices(imagesWithoutResult({ items: record.items, outcome }));
  const text = withoutResultText(vscode.l10n.t, { name, missing: images.length, total: record.items.length });
  if ((await showWarningMessage(text, show)) !== show) return;
  const selected = await showQuickPick(
    images.map(({ item, name: label }) => ({
      label,
      picked: true,
      item,
    })),
    {
      canPickMany: true,
      ignoreFocusOut: true,
      title: vscode.l10n.t('Images without a Result'),
      placeHolder: vscode.l10n.t('Select the images to run again'),
    },
  );
  if (!selected || selected.length === 0) return;
  const items = selected.map(({ item }) => item);
  const { pipelineId, pipelineDescription } = await inputOfRun(session, record.jobId);
  await runAgainAsPerson(dependencies, session, {
    pipelineId,
    ...(pipelineDescription && { pipelineDescription }),
    filesystemIds: items.map(({ id }) => id),
    items,
  });
}
