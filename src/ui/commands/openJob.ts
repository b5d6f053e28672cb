import * as vscode from 'vscode';
import type { AccountSession } from '../../app/accounts/accountSession';
import type { AccountSessions } from '../../app/accounts/accountSessions';
import { masksState } from '../../app/jobs/masksOfJob';
import { inputOfRun } from '../../app/jobs/runAgain';
import { JobResult } from '../../app/results/jobResult';
import type { OpenResults } from '../../app/results/openResults';
import { jobLabel } from '../../app/trees/jobItem';
import type { JobNode } from '../../app/trees/jobNode';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { jobEndWords } from '../../words/jobWords';
import { reasonWords } from '../../words/reasonWords';
import { withCancelIfSlow } from '../progress';
import { showErrorMessage, showInformationMessage } from '../surfaces/messages';
import { followAsPerson } from './followAsPerson';
import { runAgainAsPerson } from './submitSteps';

export interface OpenJobParts {
  sessions: AccountSessions;
  results: OpenResults;
  log: Log;
}

/** What a click on a job does: opens what exists of a finished one, says why one failed, follows one that runs. */
export async function openJob(parts: OpenJobParts, session: AccountSession, job: JobNode): Promise<void> {
  const name = jobLabel(vscode.l10n.t, job);
  if (job.phase === 'succeeded') await openResult(parts, session, { job, name });
  else if (job.phase === 'failed') await showFailedJob(parts, session, { job, name });
  else await followAsPerson(session, { jobId: job.id, what: 'analysis', name });
}

interface NamedJob {
  job: JobNode;
  name: string;
}

/** Opens the masks where they exist, else a table. Never requests masks, which use credits. */
async function openResult(
  { sessions, results }: OpenJobParts,
  session: AccountSession,
  { job, name }: NamedJob,
): Promise<void> {
  const { objects, aggregate } = job.results;
  const hasMasks = await withCancelIfSlow(vscode.l10n.t('Opening "{0}"', name), signal =>
    masksState(session, job.id, signal),
  ).then(
    state => state === 'ready',
    (error: unknown) => {
      // The tables may have been downloaded before, and say what is wrong where they can't be opened.
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return false;
    },
  );
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

/** Says why a job failed, in the service's words where it has any, and offers to run it again. */
async function showFailedJob(
  parts: OpenJobParts,
  session: AccountSession,
  { job, name }: NamedJob,
): Promise<void> {
  const { t } = vscode.l10n;
  const { tracked } = job;
  const known = job.resource.reason ?? (tracked?.reason && reasonWords(t, tracked.reason));
  const failure = known ?? (await reasonOf(session, job.id)) ?? job.resource.status;
  const input = await inputOfRun(session, job.id).catch((error: unknown) => {
    if (isCoded(error, 'not-found')) return undefined;
    throw error;
  });
  const again = t('Run Again…');
  const message = jobEndWords(t, { what: 'analysis', name, failure });
  const button = await showErrorMessage(message, ...(input ? [again] : []));
  if (button === again && input) await runAgainAsPerson(parts, session, input);
}

/** A list may leave out why a job failed. */
async function reasonOf({ client }: AccountSession, jobId: string): Promise<string | undefined> {
  try {
    const asking = (signal: AbortSignal) => client.analysisJob(jobId, signal);
    return (await withCancelIfSlow(vscode.l10n.t('Loading why the job failed'), asking)).reason;
  } catch (error) {
    if (!isCoded(error) || error.code === 'cancelled') throw error;
    return undefined;
  }
}
