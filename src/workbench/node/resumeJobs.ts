import type { Log } from '../../base/log';
import { CrossWindowFolder } from '../../base/node/crossWindowFolder';
import { PendingJobs } from '../../jobs/node/pendingJobs';
import type { SampleProcess } from '../../sample/node/sampleProcess';
import { StateFiles } from '../../accounts/node/stateFiles';
import type { Accounts } from '../../accounts/node/accounts';
import type { AccountSessions } from './accountSessions';

/**
 * Resumes tracking of running jobs. Also keeps the sample service running if its account is active,
 * because the service stops soon after its last window closed, and this window may only have been
 * reloaded. Only accounts with running jobs get a session, which loads the HTTP client. A failure
 * is logged, and the other accounts continue.
 */
export async function resumeJobs(
  accounts: Accounts,
  sessions: Pick<AccountSessions, 'of'>,
  sample: () => Promise<Pick<SampleProcess, 'keepRunning'>>,
  log: Log,
): Promise<void> {
  if (accounts.active?.sample)
    sample()
      .then(service => service.keepRunning())
      .catch((error: unknown) => log.error('The sample service could not be kept', error));
  for (const { id } of accounts.all) {
    try {
      const { jobs, state } = accounts.folder(id);
      const pending = new PendingJobs(new CrossWindowFolder(jobs), new StateFiles(state), log);
      if ((await pending.all()).length > 0) await (await sessions.of(id)).polling.resume();
    } catch (error) {
      log.error('Resuming the running jobs of an account failed', error);
    }
  }
}
