import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, accountId, Accounts } from '../../../../src/accounts/node/accounts';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { resumeJobs } from '../../../../src/workbench/node/resumeJobs';
import { StateFiles } from '../../../../src/accounts/node/stateFiles';
import { CrossWindowFolder } from '../../../../src/base/node/crossWindowFolder';
import { silentLog } from '../../../../src/base/log';
import { PendingJobs } from '../../../../src/jobs/node/pendingJobs';
import { Keychain } from '../../accounts/node/keychain';

const baseUrl = 'https://one.example';
const account = (user: string): Account => ({ id: accountId(baseUrl, user), baseUrl, user });

describe('Running jobs after a reload', () => {
  let storage: string;
  let accounts: Accounts;
  let resumed: string[];
  let keepCalls: number;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'image-analysis-resume-'));
    accounts = new Accounts(new Keychain().storage, storage, silentLog);
    for (const user of ['ada', 'grace', 'linus']) await accounts.add(account(user), 'key');
    resumed = [];
    keepCalls = 0;
  });

  afterEach(async () => {
    accounts.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  const sessions = {
    of: (id: string) => {
      const user = accounts.all.find(known => known.id === id)?.user ?? '';
      const polling = { resume: () => Promise.resolve(void resumed.push(user)) };
      return Promise.resolve({ polling } as unknown as AccountSession);
    },
  };
  const sample = () => Promise.resolve({ keepRunning: () => Promise.resolve(void keepCalls++) });
  const pendingOf = (user: string) =>
    new PendingJobs(new CrossWindowFolder(accounts.folder(account(user).id).jobs));

  it('are tracked again; an account without any gets no session', async () => {
    await pendingOf('ada').add({ jobId: '1', what: 'analysis', startedAt: 0, by: 'person' });
    await pendingOf('linus').add({ jobId: '2', what: 'masks', startedAt: 0, by: 'program' });
    await pendingOf('grace').add({ jobId: '3', what: 'masks', startedAt: 0, by: 'person' });
    await pendingOf('grace').remove({ jobId: '3', what: 'masks' });
    await resumeJobs(accounts, sessions, sample, silentLog);
    deepEqual(resumed, ['ada', 'linus']);
  });

  it('are tracked again where an older version stored them', async () => {
    const job = { jobId: '1', what: 'analysis', startedAt: 0, by: 'person' };
    await new StateFiles(accounts.folder(account('ada').id).state).write('jobs', [job]);
    await resumeJobs(accounts, sessions, sample, silentLog);
    deepEqual(resumed, ['ada']);
    deepEqual(await pendingOf('ada').all(), [job]);
  });

  it('are tracked again although those of another account can not be read', async () => {
    await pendingOf('ada').add({ jobId: '1', what: 'analysis', startedAt: 0, by: 'person' });
    await pendingOf('grace').add({ jobId: '2', what: 'analysis', startedAt: 0, by: 'person' });
    const failing = (id: string) =>
      id === account('ada').id ? Promise.reject(new Error('the disk is gone')) : sessions.of(id);
    const errors: string[] = [];
    await resumeJobs(accounts, { of: failing }, sample, {
      ...silentLog,
      error: message => void errors.push(message),
    });
    deepEqual(resumed, ['grace']);
    deepEqual(errors, ['Resuming the running jobs of an account failed']);
  });

  it('find the sample service running where a person uses it, and else ask for none', async () => {
    await resumeJobs(accounts, sessions, () => Promise.reject(new Error('not needed')), silentLog);
    await accounts.add({ ...account('ada'), sample: true }, 'key');
    await resumeJobs(accounts, sessions, sample, silentLog);
    deepEqual([keepCalls, resumed], [1, []]);
  });

  it('are none after a sign-out', async () => {
    await pendingOf('ada').add({ jobId: '1', what: 'analysis', startedAt: 0, by: 'person' });
    await accounts.remove(account('ada').id);
    await resumeJobs(accounts, sessions, sample, silentLog);
    deepEqual(resumed, []);
  });
});
