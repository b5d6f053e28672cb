import type { Log } from '../../base/log';
import { SharedFolder } from '../../base/node/sharedFolder';
import { PendingJobs } from '../../jobs/node/pendingJobs';
import { StateFiles } from '../../accounts/node/stateFiles';
import type { Accounts } from '../../accounts/node/accounts';
import type { AccountSessions } from './accountSessions';

/**
 * Resumes tracking of the jobs that were running. Only accounts with such jobs get a session, and with it the HTTP client. A
 * failure is logged, and keeps no other account from resuming.
 */
export async function resumeJobs(
  accounts: Accounts,
  sessions: Pick<AccountSessions, 'of'>,
  log: Log,
): Promise<void> {
  for (const { id } of accounts.all) {
    try {
      const { jobs, state } = accounts.folder(id);
      const pending = new PendingJobs(new SharedFolder(jobs), new StateFiles(state), log);
      if ((await pending.all()).length > 0) await (await sessions.of(id)).polling.resume();
    } catch (error) {
      log.error('Resuming the running jobs of an account failed', error);
    }
  }
}
