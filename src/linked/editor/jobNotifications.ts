import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Lazy } from '../../base/disposable';
import type { Log } from '../../base/log';
import { showFailure } from '../../host/editor/messages';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { findNameOfJob } from '../../jobs/node/nameOfJob';
import type { AnnounceJob, JobNotificationParts } from './announceJob';
import type { ShownResults } from './shownResults';

/** Opens the results of jobs submitted in this window once they are done, or announces the end of those that a person submitted. */
export function announceJobs(parts: JobNotificationParts): Disposable {
  const store = new DisposableStore();
  let loading: Promise<AnnounceJob> | undefined;
  store.add(parts.sessions.onDidPauseJobs(error => void showFailure(error)));
  store.add(
    parts.sessions.onDidEndJob(ended => {
      // Before anything else: the command that waits for the job goes on at once.
      const isWaitedFor = ended.session.awaited.isWaitedFor(ended.job);
      loading ??= import('./announceJob').then(({ jobAnnouncer }) => jobAnnouncer(parts));
      loading
        .then(announce => announce(ended, isWaitedFor))
        .catch((error: unknown) => {
          parts.log.error('Announcing the end of a job failed', error);
          void showFailure(error);
        });
    }),
  );
  return store;
}

interface TitleResultsParts {
  sessions: JobSessions;
  shown: Lazy<ShownResults>;
  log: Log;
}

/** Updates the titles of open results when their jobs are named or renamed. */
export function titleResults({ sessions, shown, log }: TitleResultsParts): Disposable {
  return sessions.onDidLearnOfJob(({ session, jobId }) => {
    const { value } = shown;
    if (!value) return;
    findNameOfJob(vscode.l10n.t, session, jobId).then(
      name => value.results.renameJob(session.account.id, jobId, name),
      (error: unknown) => log.error('The results of a renamed job could not be titled', error),
    );
  });
}
