import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { showFailure } from '../../host/editor/messages';
import { findNameOfJob } from '../../jobs/node/nameOfJob';
import type { JobNotificationDependencies } from './announceJob';

/** Announces the ends of jobs in this window, and updates the titles of their results. */
export function announceJobs(dependencies: JobNotificationDependencies): Disposable {
  const store = new DisposableStore();
  store.add(dependencies.sessions.onDidPauseJobs(error => void showFailure(error)));
  store.add(announceEnds(dependencies));
  store.add(titleResults(dependencies));
  return store;
}

/** Opens the results of this window's jobs, or announces the ends of a person's jobs. */
function announceEnds(dependencies: JobNotificationDependencies): Disposable {
  const load = async () => (await import('./announceJob')).jobAnnouncer(dependencies);
  let loading: ReturnType<typeof load> | undefined;
  return dependencies.sessions.onDidEndJob(ended => {
    // Check this first, because a command that waits for the job continues at once.
    const isWaitedFor = ended.session.awaited.isWaitedFor(ended.job);
    loading ??= load();
    loading
      .then(announce => announce(ended, isWaitedFor))
      .catch((error: unknown) => {
        dependencies.log.error('Announcing the end of a job failed', error);
        void showFailure(error);
      });
  });
}

/** Updates the titles of open results when their jobs are named or renamed. */
function titleResults({ sessions, shown, log }: JobNotificationDependencies): Disposable {
  return sessions.onDidChangeJobFacts(({ session, jobId }) => {
    const { value } = shown;
    if (!value) return;
    findNameOfJob(vscode.l10n.t, session, jobId).then(
      name => value.results.renameJob(session.account.id, jobId, name),
      (error: unknown) => log.error('The results of a renamed job could not be titled', error),
    );
  });
}
