import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import { pickOne } from '../../host/editor/dialogSteps';
import { showInformationMessage } from '../../host/editor/messages';
import { withCancelIfSlow } from '../../host/editor/progress';
import { type ComparableJob, ComparableJobs } from '../node/comparableJobs';
import { jobOfNode } from '../node/jobNodes';
import type { JobSession } from '../node/jobSessions';
import { latestJob, type SelectableJob, SelectableJobs, type JobFilter } from '../node/listedJobs';
import type { LabeledJob } from '../node/nameOfJob';
import { jobLabel, selectableJobItem } from '../node/treeItems';

/** Argument of the walkthrough's buttons, in place of a job: the latest useful job. */
const LAST_JOB = 'lastJob';

/** A dialog with a single step. */
const ONLY_STEP = { step: 1, totalSteps: 1, canGoBack: false };

/**
 * The job that a person means: the clicked, latest or only job, or one from a list; else undefined.
 */
export async function jobOf(
  session: JobSession,
  commandArgs: readonly unknown[],
  filter?: JobFilter,
): Promise<LabeledJob | undefined> {
  const { t } = vscode.l10n;
  const clicked = jobOfNode(commandArgs[0]);
  if (clicked) return { id: clicked.id, label: jobLabel(t, clicked) };
  const jobs = new SelectableJobs(session, filter);
  const isLoaded = await withCancelIfSlow(t('Loading jobs'), signal => jobs.loadMore(signal)).then(
    () => true,
    (error: unknown) => {
      if (isCoded(error, 'cancelled')) throw error;
      // The list shows the error.
      return false;
    },
  );
  const [first, ...others] = jobs.items;
  const isOnly = first && others.length === 0 && !jobs.mayHaveMore;
  if (commandArgs[0] === LAST_JOB && isLoaded) {
    const latest = latestJob(jobs.items);
    if (latest) return labeled(latest);
    if (!jobs.mayHaveMore) {
      await offerSampleImage();
      return undefined;
    }
  }
  if (isOnly) return labeled(first);
  const selected = await pickOne(jobs, itemOf, {
    title: t('Analysis Jobs'),
    placeholder: t('Select a job'),
    empty: t('No jobs available'),
    ...ONLY_STEP,
  });
  return selected.kind === 'value' ? labeled(selected.value) : undefined;
}

/** Lets a person select the job to compare another one with. Undefined on Esc. */
export async function jobToCompareWith(
  session: JobSession,
  { id, label }: LabeledJob,
): Promise<LabeledJob | undefined> {
  const { t } = vscode.l10n;
  const jobs = new ComparableJobs(session, { id, submitted: await session.submittedJobs.find(id) });
  const selected = await pickOne(jobs, comparableItem, {
    title: t('Compare Masks'),
    placeholder: t('Select the job to compare "{0}" with', label),
    empty: t('No other job has masks to compare'),
    ...ONLY_STEP,
  });
  return selected.kind === 'value' ? labeled(selected.value) : undefined;
}

function labeled(job: SelectableJob): LabeledJob {
  return { id: job.id, label: jobLabel(vscode.l10n.t, job) };
}

function itemOf(job: SelectableJob): ReturnType<typeof selectableJobItem> {
  return selectableJobItem({ t: vscode.l10n.t, locale: vscode.env.language }, job);
}

function comparableItem(job: ComparableJob): ReturnType<typeof itemOf> & { group: string; refused?: string } {
  const { t } = vscode.l10n;
  const { inCommon } = job;
  const item = itemOf(job);
  if (inCommon === undefined) return { ...item, group: t('May Have Images in Common') };
  if (inCommon === 0) {
    const refused = t('No images in common. To pair them yourself, select both in Jobs.');
    return { ...item, detail: refused, group: t("Can't Be Selected"), refused };
  }
  const common = inCommon === 1 ? t('1 image in common') : t('{0} images in common', inCommon);
  return { ...item, description: `${common} · ${item.description}`, group: t('Images in Common') };
}

async function offerSampleImage(): Promise<void> {
  const { t } = vscode.l10n;
  const analyze = t('Analyze Sample Image');
  if ((await showInformationMessage(t('No job has finished yet.'), analyze)) === analyze)
    await vscode.commands.executeCommand('imageAnalysis.analyzeSampleImage');
}
