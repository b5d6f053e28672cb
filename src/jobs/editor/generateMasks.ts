import * as vscode from 'vscode';
import { canceledError } from '../../base/errors';
import { withCancel } from '../../host/editor/progress';
import { showInformationMessage } from '../../host/editor/messages';
import { generateMasksWords } from '../../words/submitWords';
import { followJob } from '../node/followJob';
import type { JobSession } from '../node/jobSessions';
import { masksState, requestMasks } from '../node/masksOfJob';
import type { LabeledJob } from '../node/nameOfJob';
import { isUnprotected } from '../node/submitState';
import { agreesToUnprotected } from './submitSteps';

/** Requests masks, unless they exist, after the person agreed to use credits. */
export async function generateAsPerson(session: JobSession, job: LabeledJob): Promise<void> {
  const { id, label } = job;
  const state = await masksState(session, id);
  if (state !== 'none') {
    const message =
      state === 'generating'
        ? vscode.l10n.t('The masks of "{0}" are already being generated.', label)
        : vscode.l10n.t('The masks of "{0}" have already been generated.', label);
    void showInformationMessage(message);
    return;
  }
  if (!(await confirmCost(session, job))) return;
  session.awaited.add({ jobId: id, what: 'masks' });
  await requestAsPerson(session, job);
}

/**
 * Makes sure that masks exist, to open or export them: `existing`, or `generated` after the person
 * agreed and waited. Undefined if the person didn't agree, or if generating them failed, which is
 * announced like the end of any job.
 */
export async function masksForPerson(
  session: JobSession,
  job: LabeledJob,
): Promise<'existing' | 'generated' | undefined> {
  const { id, label } = job;
  const state = await masksState(session, id);
  if (state === 'ready') return 'existing';
  if (state === 'none' && !(await confirmCost(session, job))) return undefined;
  const masks = { jobId: id, what: 'masks' as const };
  const waiting = session.awaited.wait(masks);
  try {
    await withCancel(
      vscode.l10n.t('Generating the masks of "{0}"', label),
      async (progress, signal): Promise<void> => {
        if (state === 'none' && !(await requestAsPerson(session, job))) throw canceledError();
        await followJob(session.tracker, { ...masks, name: label }, { t: vscode.l10n.t, progress }, signal);
        if (signal.aborted) throw canceledError();
      },
    );
  } finally {
    waiting.dispose();
  }
  return (await masksState(session, id)) === 'ready' ? 'generated' : undefined;
}

/** Requests masks. If other windows can't see the request, asks; false if the person declines. */
async function requestAsPerson(session: JobSession, { id, label }: LabeledJob): Promise<boolean> {
  try {
    await requestMasks(session, id, 'person', label);
  } catch (error) {
    if (!isUnprotected(error)) throw error;
    if (!(await agreesToUnprotected('masks', error))) return false;
    await requestMasks(session, id, 'person', label, { isAgreed: true });
  }
  return true;
}

async function confirmCost(session: JobSession, { id, label }: LabeledJob): Promise<boolean> {
  const { question, detail } = generateMasksWords(vscode.l10n.t, {
    name: label,
    images: await imageCountOfRun(session, id),
    isFree: session.account.sample === true,
  });
  const generate = vscode.l10n.t('Generate Masks');
  return (await showInformationMessage(question, { modal: true, detail }, generate)) === generate;
}

/** Number of images of a job; undefined if unknown, as for folders. */
async function imageCountOfRun(
  { runs }: { runs: Pick<JobSession['runs'], 'find'> },
  jobId: string,
): Promise<number | undefined> {
  const items = (await runs.find(jobId))?.items;
  return items && items.length > 0 && !items.some(({ isFolder }) => isFolder) ? items.length : undefined;
}
