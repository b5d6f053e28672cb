import { DisposableStore, type Disposable } from '../../base/disposable';
import type { AnnounceJob, JobNotificationParts } from './announceJob';
import { showFailure } from '../../host/editor/userMessages';

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
