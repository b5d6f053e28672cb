import { SharedFolder } from '../../base/sharedFolder';
import { PendingJobs } from '../../jobs/pendingJobs';
import { StateFiles } from '../state/stateFiles';
import type { Accounts } from './accounts';
import type { AccountSessions } from './accountSessions';

/** Resumes tracking of the jobs that were running. Only accounts with such jobs get a session, and with it the HTTP client. */
export async function resumeJobs(accounts: Accounts, sessions: Pick<AccountSessions, 'of'>): Promise<void> {
  for (const { id } of accounts.all) {
    const { jobs, state } = accounts.folder(id);
    const pending = new PendingJobs(new SharedFolder(jobs), new StateFiles(state));
    if ((await pending.all()).length === 0) continue;
    await (await sessions.of(id)).polling.resume();
  }
}
