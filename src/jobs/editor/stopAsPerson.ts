import * as vscode from 'vscode';
import type { JobSession } from '../node/jobSessions';
import { stopFollowing } from '../node/stopFollowing';
import type { JobKey } from '../node/pollRounds';
import { nameInSentence } from '../../words/inertText';
import { showInformationMessage } from '../../host/editor/surfaces/messages';

/** Stops following a job, and says so where masks that were selected with it are not generated any more. */
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
