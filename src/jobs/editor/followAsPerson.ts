import * as vscode from 'vscode';
import { showInformationMessage } from '../../host/editor/messages';
import { nameInSentence } from '../../words/inertText';
import { stopFollowing } from '../node/followJob';
import type { JobSession } from '../node/jobSessions';
import type { JobKey } from '../node/jobState';

/**
 * Follows a job and tells the person where its progress is shown. It isn't a progress notification,
 * because people would expect its Cancel button to end the job.
 */
export async function followAsPerson(
  session: JobSession,
  { name, ...job }: JobKey & { name: string },
): Promise<void> {
  await session.tracker.track(job.jobId, { what: job.what, name, by: 'person' });
  const stop = vscode.l10n.t('Stop Following');
  const text =
    job.what === 'masks'
      ? vscode.l10n.t(
          'Following the masks of "{0}". Their progress is in the Jobs view and the status bar.',
          nameInSentence(name),
        )
      : vscode.l10n.t(
          'Following "{0}". Its progress is in the Jobs view and the status bar.',
          nameInSentence(name),
        );
  if ((await showInformationMessage(text, stop)) === stop) await stopAsPerson(session, { name, ...job });
}

/** Stops following a job, and says so if its selected masks won't be generated any more. */
export async function stopAsPerson(
  session: JobSession,
  { jobId, what, name }: JobKey & { name: string },
): Promise<void> {
  if (!(await stopFollowing(session, { jobId, what }))) return;
  const follow = vscode.l10n.t('Follow Job');
  const button = await showInformationMessage(
    vscode.l10n.t(
      'Stopped following "{0}". Its masks won\'t be generated automatically unless you follow it again.',
      nameInSentence(name),
    ),
    follow,
  );
  if (button === follow) await session.tracker.track(jobId, { what, name, by: 'person' });
}
