import * as vscode from 'vscode';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { findNameOfJob } from '../../jobs/node/nameOfJob';
import { keyOfJob } from '../node/jobResult';
import type { Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import type { ShownResults } from './shownResults';

export interface TitleResultsParts {
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
      name => value.results.rename(keyOfJob(session.account.id, jobId), name),
      (error: unknown) => log.error('The results of a renamed job could not be titled', error),
    );
  });
}
