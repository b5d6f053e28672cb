import * as vscode from 'vscode';
import { delay } from '../base/delay';
import type { Log } from '../base/log';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { AccountSessions, SessionJob } from '../app/accounts/accountSessions';
import { GatheredAnnouncements } from '../app/jobs/gatheredAnnouncements';
import { claimAnnouncement, type JobAnnouncement } from '../app/jobs/jobAnnouncement';
import type { OpenResults } from '../app/results/openResults';
import { showToPerson } from './commands/resultCommands';
import { JobResult } from '../app/results/jobResult';
import type { Settings } from '../app/settings/settings';
import { jobEndsWords, jobEndWords, openResultLabels } from '../words/jobWords';
import { reasonWords } from '../words/reasonWords';
import { showFailure } from './userMessages';
import { showErrorMessage, showInformationMessage } from './surfaces/messages';

export interface JobNotificationParts {
  sessions: AccountSessions;
  results: OpenResults;
  settings: Settings;
  log: Log;
}

/** Announces the end of jobs that a person submitted in any window, and offers to open their results. */
export function announceJobs(parts: JobNotificationParts): Disposable {
  const store = new DisposableStore();
  const gathered = new GatheredAnnouncements(delay);
  store.add(parts.sessions.onDidPauseJobs(error => void showFailure(error)));
  store.add(
    parts.sessions.onDidEndJob(ended => {
      announce(parts, gathered, ended).catch((error: unknown) => {
        parts.log.error('Announcing the end of a job failed', error);
        void showFailure(error);
      });
    }),
  );
  return store;
}

async function announce(
  { sessions, results, settings }: JobNotificationParts,
  gathered: GatheredAnnouncements,
  ended: SessionJob,
): Promise<void> {
  const own = await claimAnnouncement(ended, {
    level: settings.notifications,
    isFocused: vscode.window.state.focused,
    delay,
    t: vscode.l10n.t,
  });
  if (!own) return;
  const [announcement, ...others] = await gathered.add(own);
  if (!announcement) return;
  if (others.length > 0) {
    await announceSeveral([announcement, ...others]);
    return;
  }
  const { what, name, failure, isGivenUp, results: offered } = announcement;
  const { t } = vscode.l10n;
  if (failure) {
    const words = reasonWords(t, failure);
    await showErrorMessage(jobEndWords(t, { what, name, failure: words, isGivenUp }));
    return;
  }
  const labels = openResultLabels(t);
  const button = await showInformationMessage(
    jobEndWords(t, { what, name }),
    ...offered.map(part => labels[part]),
  );
  const selected = offered.find(part => labels[part] === button);
  const { session, job } = ended;
  if (selected)
    await showToPerson(results, new JobResult(sessions, session.account.id, job.jobId, name), selected);
}

async function announceSeveral(announcements: readonly JobAnnouncement[]): Promise<void> {
  const failed = announcements.filter(({ failure }) => failure !== undefined).length;
  const words = jobEndsWords(vscode.l10n.t, { succeeded: announcements.length - failed, failed });
  const showJobs = vscode.l10n.t('Show Jobs');
  const show = failed > 0 ? showErrorMessage : showInformationMessage;
  if ((await show(words, showJobs)) === showJobs)
    await vscode.commands.executeCommand('imageAnalysis.showJobs');
}
