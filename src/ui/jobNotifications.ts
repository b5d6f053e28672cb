import * as vscode from 'vscode';
import { delay } from '../base/delay';
import type { Log } from '../base/log';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { AccountSessions, SessionJob } from './accountSessions';
import type { ResultSessions } from './panels/resultSessions';
import { showToPerson } from './commands/resultCommands';
import { JobResult } from './resultSources';
import type { Settings } from './settings';
import { showFailure } from './userMessages';

export interface JobNotificationParts {
  sessions: AccountSessions;
  results: ResultSessions;
  settings: Settings;
  log: Log;
}

/** How long a window that nobody looks at leaves it to the one in front to say that a job has ended. Milliseconds. */
const HESITATION = 10_000;

/** Says when a job that a person asked for has ended, wherever it was submitted, and offers what can be done with it. */
export function announceJobs(parts: JobNotificationParts): Disposable {
  const store = new DisposableStore();
  store.add(parts.sessions.onDidPauseJobs(error => void showFailure(error)));
  store.add(
    parts.sessions.onDidEndJob(ended => {
      announce(parts, ended).catch((error: unknown) => {
        parts.log.error('What was chosen at the end of a job failed', error);
        void showFailure(error);
      });
    }),
  );
  return store;
}

async function announce(
  { sessions, results, settings }: JobNotificationParts,
  { session, job }: SessionJob,
): Promise<void> {
  const submitted = await session.submittedJobs.find(job.jobId);
  // A job seen in a list may have been submitted in another window; of masks only the one that asked knows.
  const by = job.by ?? (job.what === 'analysis' ? submitted?.by : undefined);
  if (by !== 'person') return;
  const failed = job.phase === 'failed';
  const level = settings.notifications;
  if (level === 'off' || (level === 'failures' && !failed)) return;
  const inFront = vscode.window.state.focused;
  if (!inFront) await delay(HESITATION);
  // The window in front says it in any case: what another one said before may not have been seen.
  if (!(await session.endClaims.claim(job)) && !inFront) return;
  const name = job.name ?? submitted?.name ?? job.jobId;
  const show = (what: 'objects' | 'aggregate' | 'masks') =>
    showToPerson(results, new JobResult(sessions, session.account.id, job.jobId, name), what);

  if (failed) {
    const reason = job.reason ?? job.status;
    await vscode.window.showErrorMessage(
      job.what === 'masks'
        ? vscode.l10n.t('The masks of "{0}" could not be generated: {1}', name, reason)
        : vscode.l10n.t('The job "{0}" failed: {1}', name, reason),
    );
    return;
  }
  const masks = vscode.l10n.t('Masks');
  if (job.what === 'masks') {
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t('The masks of "{0}" are ready.', name),
      masks,
    );
    if (answer === masks) await show('masks');
    return;
  }
  const objects = vscode.l10n.t('Objects Table');
  const aggregate = vscode.l10n.t('Aggregate Table');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('The job "{0}" has finished.', name),
    objects,
    aggregate,
    masks,
  );
  if (answer === objects) await show('objects');
  if (answer === aggregate) await show('aggregate');
  if (answer === masks) await show('masks');
}
