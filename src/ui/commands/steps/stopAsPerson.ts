import * as vscode from 'vscode';
import type { AccountSession } from '../../../app/accounts/accountSession';
import { stopFollowing } from '../../../app/jobs/stopFollowing';
import type { JobKey } from '../../../jobs/pollRounds';
import { nameInSentence } from '../../../words/inertText';
import { showInformationMessage } from '../../surfaces/messages';

/** Stops following a job, and says so where masks that were selected with it are not generated any more. */
export async function stopAsPerson(
  session: AccountSession,
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
