import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../../../package.json';
import { type Account, accountId, Accounts } from '../../../../src/accounts/node/accounts';
import { silentLog } from '../../../../src/base/log';
import { Settings } from '../../../../src/host/settings';
import { AccountSessions } from '../../../../src/workbench/node/accountSessions';
import { Keychain } from '../../accounts/node/keychain';

const baseUrl = 'https://images.example.org';
const account: Account = { id: accountId(baseUrl, 'ada'), baseUrl, user: 'ada' };
const log = { ...silentLog, addSecret: () => undefined };

describe('The session of an account', () => {
  let folder: string;
  let accounts: Accounts;
  let sessions: AccountSessions;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-sessions-'));
    const { storage } = new Keychain();
    const before = new Accounts(storage, folder, log);
    await before.add(account, 'key');
    before.dispose();
    accounts = new Accounts(storage, folder, log);
    const notUsed = () => {
      throw new Error('not used');
    };
    sessions = new AccountSessions({
      accounts,
      sample: notUsed,
      settings: new Settings({ read: () => undefined }, manifest.contributes.configuration.properties, log),
      network: () => ({ environment: {}, timeoutMs: 60_000 }),
      startEngine: notUsed,
      extensionVersion: manifest.version,
      log,
    });
  });

  afterEach(async () => {
    sessions.dispose();
    accounts.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('waits for the accounts while they are read, as panels come back that early', async () => {
    const read = accounts.load();
    deepEqual(accounts.all, []);
    const [ofPanel, active] = await Promise.all([sessions.of(account.id), sessions.active()]);
    equal(ofPanel, active);
    deepEqual(ofPanel.account, account);
    await read;
  });

  it('is none of an account that is not there once they have been read', async () => {
    const read = accounts.load();
    const other = accountId(baseUrl, 'grace');
    await rejects(sessions.of(other), { code: 'signed-out' });
    await read;
    await rejects(sessions.of(other), { code: 'signed-out' });
    await accounts.remove(account.id);
    await rejects(sessions.active(), { code: 'signed-out' });
  });
});
