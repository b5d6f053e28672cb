import * as vscode from 'vscode';
import type { JobSession } from '../node/jobSessions';
import type { JobKey } from '../node/pollRounds';
import { nameInSentence } from '../../words/inertText';
import { showInformationMessage } from '../../host/editor/surfaces/messages';
import { stopAsPerson } from './stopAsPerson';

/** Follows a job, and says where its progress is shown. A notification with the progress would have a Cancel, as if that ended the job. */
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
