import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, accountId, Accounts } from '../../../../src/accounts/node/accounts';
import { silentLog } from '../../../../src/base/log';
import { Keychain } from './keychain';

const id = accountId('https://one.example', 'a');
const account: Account = { id, baseUrl: 'https://one.example', user: 'a' };
const secret = `imageAnalysis.key.${id}`;

/** As of a served VS Code: each browser has its own secret store, all share the storage folder. */
describe('Accounts in windows with secret stores of their own', () => {
  let folder: string;
  const windows: Accounts[] = [];

  async function open(keychain: Keychain, { follows = true } = {}): Promise<Accounts> {
    const accounts = new Accounts(keychain.storage, folder, silentLog);
    windows.push(accounts);
    await accounts.load();
    if (follows) await accounts.watchOtherWindows();
    return accounts;
  }

  /** Resolves once it holds, which is tried at each change that the window tells of. */
  function until(window: Accounts, holds: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const subscription = window.onDidChange(() => {
        if (!holds()) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-accounts-'));
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('learn of a sign-out at once, and delete their own secret', async () => {
    const [first, second] = [new Keychain(), new Keychain()];
    const [here, there] = [await open(first), await open(second)];
    await here.add(account, 'key');
    await there.add(account, 'key');
    const deleted = new Promise<void>(resolve => second.changed.event(() => second.keys.size || resolve()));
    const gone = until(there, () => there.all.length === 0);
    await here.remove(id);
    await Promise.all([gone, deleted]);
    assert.deepEqual([...first.keys, ...second.keys], []);
    await assert.rejects(there.key(id), { code: 'signed-out' });
  });

  it('can all be signed in with the same key', async () => {
    const [here, there] = [await open(new Keychain()), await open(new Keychain())];
    await here.add(account, 'key');
    await there.add(account, 'key');
    assert.deepEqual(await Promise.all([here.key(id), there.key(id)]), ['key', 'key']);
  });

  it('never send a key that was removed or replaced elsewhere, even where no event came', async () => {
    const [first, second] = [new Keychain(), new Keychain()];
    const [here, there] = [await open(first), await open(second, { follows: false })];
    await here.add(account, 'old');
    await there.add(account, 'old');
    assert.equal(await there.key(id), 'old');
    await here.add(account, 'new');
    const changed = until(there, () => true);
    await assert.rejects(there.key(id), { code: 'signed-out' });
    await changed;
    assert.equal(await here.key(id), 'new');
    await there.add(account, 'new');
    await here.remove(id);
    const gone = until(there, () => there.all.length === 0);
    await assert.rejects(there.key(id), { code: 'signed-out' });
    await gone;
  });

  it('are told that a key was renewed, so that lists are loaded again', async () => {
    const [here, there] = [await open(new Keychain()), await open(new Keychain())];
    await there.add(account, 'old');
    const changed = until(there, () => true);
    await here.add(account, 'new');
    await changed;
    await assert.rejects(there.key(id), { code: 'signed-out' });
  });

  it('delete what was left of a key that was removed while they were closed', async () => {
    const second = new Keychain();
    const before = await open(second);
    await before.add(account, 'key');
    before.dispose();
    const here = await open(new Keychain());
    await here.remove(id);
    assert.equal(second.keys.size, 1);
    await open(second);
    assert.equal(second.keys.size, 0);
  });

  it('stay listed where a key was replaced elsewhere and is deleted here, to be signed in again', async () => {
    const [first, second] = [new Keychain(), new Keychain()];
    const [here, there] = [await open(first), await open(second)];
    await here.add(account, 'old');
    await there.add(account, 'old');
    const other = await open(second);
    await here.add(account, 'new');
    const changed = Promise.all([there, other].map(window => until(window, () => true)));
    await (await open(second)).watchOtherWindows();
    await changed;
    assert.equal(second.keys.size, 0);
    for (const window of [there, other]) {
      await window.load();
      assert.deepEqual(window.all, [account]);
    }
  });

  it('can sign in again after a sign-out elsewhere', async () => {
    const [here, there] = [await open(new Keychain()), await open(new Keychain())];
    const listed = until(there, () => there.all.length === 1);
    await here.add(account, 'key');
    await listed;
    const gone = until(there, () => there.all.length === 0);
    await here.remove(id);
    await gone;
    await there.add(account, 'key');
    assert.equal(await there.key(id), 'key');
  });

  it('use a key that an earlier version stored, until it is removed', async () => {
    const keychain = new Keychain();
    const here = await open(keychain);
    await here.add(account, 'key');
    await rm(join(folder, 'revisions'), { recursive: true });
    keychain.keys.set(secret, 'stored as it is');
    assert.equal(await here.key(id), 'stored as it is');
    await here.remove(id);
    keychain.keys.set(secret, 'stored as it is');
    await assert.rejects(here.key(id), { code: 'signed-out' });
  });

  it('share no key, and no more than a number after a sign-out', async () => {
    const here = await open(new Keychain());
    await here.add(account, 'very secret key');
    const file = join(folder, 'revisions', `${id}.json`);
    assert.deepEqual(await readdir(join(folder, 'revisions')), [`${id}.json`]);
    assert.doesNotMatch(await readFile(file, 'utf8'), /secret/);
    await writeFile(file, 'damaged');
    assert.equal(await here.key(id), 'very secret key');
    await here.remove(id);
    assert.match(await readFile(file, 'utf8'), /^{"number":\d+}$/);
  });
});
