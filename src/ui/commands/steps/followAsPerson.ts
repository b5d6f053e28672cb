import * as vscode from 'vscode';
import type { AccountSession } from '../../../app/accounts/accountSession';
import { followJob } from '../../../app/jobs/followJob';
import type { JobKey } from '../../../jobs/pollRounds';
import { withCancel } from '../../progress';

/** Follows a job, with its progress in a notification. Canceling that closes it; the job is followed on. */
export async function followAsPerson(
  { tracker }: AccountSession,
  job: JobKey & { name: string },
): Promise<void> {
  const title =
    job.what === 'masks'
      ? vscode.l10n.t('Following the masks of "{0}"', job.name)
      : vscode.l10n.t('Following "{0}"', job.name);
  await withCancel(title, (progress, signal) =>
    followJob(tracker, job, { t: vscode.l10n.t, progress }, signal),
  );
}
