import * as vscode from 'vscode';
import type { AccountSessions } from '../app/accounts/accountSessions';
import { findNameOfJob } from '../app/jobs/nameOfJob';
import { keyOfJob } from '../app/results/sources/jobResult';
import type { Disposable } from '../base/disposable';
import type { Lazy } from '../base/lazy';
import type { Log } from '../base/log';
import type { ShownResults } from './panels/shownResults';

export interface TitleResultsParts {
  sessions: AccountSessions;
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
