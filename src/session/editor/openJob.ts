import * as vscode from 'vscode';
import { namesCancel } from '../../service/node/statusWords';
import type { JobSession, JobSessions } from '../../jobs/node/jobSessions';
import { type DamagedImage, damagedImages, inputOfRun } from '../../jobs/node/runAgain';
import { masksState } from '../../jobs/node/masksOfJob';
import { JobResult } from '../node/resultSource';
import type { OpenResults } from '../node/openResults';
import { jobLabel } from '../../jobs/node/treeItems';
import type { JobNode } from '../../jobs/node/jobNodes';
import type { DamageCheckDependencies } from '../../uploads/node/imageDamage';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import type { RunItem } from '../../jobs/node/runRecords';
import { damagedImagesWords } from '../../words/resultWords';
import { jobEndWords } from '../../words/jobWords';
import { reasonWords } from '../../words/reasonWords';
import { withCancelIfSlow } from '../../host/editor/progress';
import { showErrorMessage, showInformationMessage } from '../../host/editor/messages';
import { followAsPerson } from '../../jobs/editor/followAsPerson';
import { runAgainAsPerson } from '../../jobs/editor/submitSteps';

export interface OpenJobDependencies {
  sessions: JobSessions;
  results: OpenResults;
  /** Starts a thread that checks images. */
  startEngine: DamageCheckDependencies['startEngine'];
  log: Log;
}

/** Handles a click on a job: opens its results, shows why it failed, or follows it. */
export async function openJob(
  dependencies: OpenJobDependencies,
  session: JobSession,
  job: JobNode,
): Promise<void> {
  const name = jobLabel(vscode.l10n.t, job);
  if (job.phase === 'succeeded') await openResult(dependencies, session, { job, name });
  else if (job.phase === 'failed') await showFailedJob(dependencies, session, { job, name });
  else await followAsPerson(session, { jobId: job.id, what: 'analysis', name });
}

interface NamedJob {
  job: JobNode;
  name: string;
}

/** Opens the masks if they exist, else a table. Never requests masks, which use credits. */
async function openResult(
  { sessions, results }: OpenJobDependencies,
  session: JobSession,
  { job, name }: NamedJob,
): Promise<void> {
  const { objects, aggregate } = job.results;
  const { openings } = results;
  const hasMasks = await withCancelIfSlow(vscode.l10n.t('Opening "{0}"', name), signal =>
    masksState(session, job.id, signal),
  ).then(
    state => state === 'ready',
    (error: unknown) => {
      // Try a table instead: it may have been downloaded before, and its panel shows failures.
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return false;
    },
  );
  // The person has opened something else in the meantime.
  if (results.openings !== openings) return;
  const part = hasMasks ? 'masks' : objects ? 'objects' : aggregate ? 'aggregate' : undefined;
  if (part === undefined) {
    void showInformationMessage(vscode.l10n.t('The job "{0}" has no results.', name));
    return;
  }
  // The panel shows failures.
  await results
    .show(new JobResult(sessions, session.account.id, job.id, name), part)
    .catch((error: unknown) => {
      if (!(error instanceof CodedError)) throw error;
    });
}

/** Shows why a job failed, in the service's words if any, and offers to run it again. */
async function showFailedJob(
  dependencies: OpenJobDependencies,
  session: JobSession,
  { job, name }: NamedJob,
): Promise<void> {
  const { t } = vscode.l10n;
  const { tracked } = job;
  const why = job.resource.reason ?? (tracked?.reason && reasonWords(t, tracked.reason));
  const { status } = job.resource;
  const isCanceled = namesCancel(status);
  const failure = why ?? (await reasonOf(session, job.id)) ?? (isCanceled ? undefined : status);
  const input = await inputOfRun(session, job.id).catch((error: unknown) => {
    if (isCoded(error, 'not-found')) return undefined;
    throw error;
  });
  const endWords = jobEndWords(t, { what: 'analysis', name, failure, isCanceled });
  const showMessage = isCanceled ? showInformationMessage : showErrorMessage;
  if (!input) {
    // Support needs the job's ID. Without a button VS Code shows only the first line.
    const copyId = t('Copy ID');
    if ((await showMessage(endWords, copyId)) === copyId) await vscode.env.clipboard.writeText(job.id);
    return;
  }
  const items = input.items ?? input.filesystemIds.map(id => ({ id }));
  const damaged = await checkImages(dependencies, session, items);
  const damagedIds = new Set(damaged.map(({ item }) => item.id));
  const undamaged = items.filter(({ id }) => !damagedIds.has(id));
  const again = t('Run Again…');
  const withoutDamaged =
    damaged.length === 1 ? t('Analyze Again Without It…') : t('Analyze Again Without Them…');
  const message = damaged.length > 0 ? `${endWords} ${damagedImagesWords(t, damaged)}` : endWords;
  const button = await showMessage(
    message,
    ...(damaged.length > 0 && undamaged.length > 0 ? [withoutDamaged] : []),
    again,
  );
  if (button === again) await runAgainAsPerson(dependencies, session, input);
  if (button !== withoutDamaged) return;
  const { pipelineId, pipelineDescription } = input;
  await runAgainAsPerson(dependencies, session, {
    pipelineId,
    ...(pipelineDescription && { pipelineDescription }),
    filesystemIds: undamaged.map(({ id }) => id),
    items: undamaged,
  });
}

/** The damaged images, from their files on this machine; none if the check fails or is canceled. */
async function checkImages(
  dependencies: OpenJobDependencies,
  session: JobSession,
  items: readonly RunItem[],
): Promise<DamagedImage[]> {
  try {
    return await withCancelIfSlow(vscode.l10n.t('Checking the images of the job'), signal =>
      damagedImages(dependencies, session, items, signal),
    );
  } catch (error) {
    if (!isCoded(error, 'cancelled'))
      dependencies.log.error('The images of a failed job could not be checked', error);
    return [];
  }
}

/** Requests why a job failed, because the list may omit it. */
async function reasonOf({ client }: JobSession, jobId: string): Promise<string | undefined> {
  try {
    const request = (signal: AbortSignal) => client.analysisJob(jobId, signal);
    return (await withCancelIfSlow(vscode.l10n.t('Loading why the job failed'), request)).reason;
  } catch (error) {
    if (!isCoded(error) || error.code === 'cancelled') throw error;
    return undefined;
  }
}
