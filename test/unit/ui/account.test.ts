import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import { silentLog } from '../../../src/base/log';
import { accountId, Accounts, type Account } from '../../../src/ui/account';

/** A keychain that several windows share; each hears of every change. */
class Keychain {
  readonly keys = new Map<string, string>();
  readonly changed = new Emitter<{ key: string }>();
  failing = false;

  get storage(): vscode.SecretStorage {
    return {
      keys: () => Promise.resolve([...this.keys.keys()]),
      get: name => Promise.resolve(this.keys.get(name)),
      store: (name, value) => {
        if (this.failing) return Promise.reject(new Error('The keychain is locked'));
        this.keys.set(name, value);
        this.changed.fire({ key: name });
        return Promise.resolve();
      },
      delete: name => {
        this.keys.delete(name);
        this.changed.fire({ key: name });
        return Promise.resolve();
      },
      onDidChange: this.changed.event,
    };
  }
}

const account = (user: string, baseUrl = 'https://one.example'): Account => ({
  id: accountId(baseUrl, user),
  baseUrl,
  user,
});

describe('Accounts in several windows', () => {
  let folder: string;
  let keychain: Keychain;
  const windows: Accounts[] = [];
  const open = async () => {
    const accounts = new Accounts(keychain.storage, folder, silentLog);
    windows.push(accounts);
    await accounts.load();
    return accounts;
  };
  /** Resolves when the window has something new to tell. */
  const news = (window: Accounts) =>
    new Promise<void>(resolve => {
      const subscription = window.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-accounts-'));
    keychain = new Keychain();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('are known in all of them once one has signed in, and gone once one has signed out', async () => {
    const [here, there] = [await open(), await open()];
    const heard = news(there);
    await here.add(account('a'), 'key a');
    await heard;
    assert.deepEqual(there.active, account('a'));
    assert.equal(await there.key(account('a').id), 'key a');
    const gone = news(there);
    await here.remove(account('a').id);
    await gone;
    assert.deepEqual(there.all, []);
  });

  it('do not undo each other, also where nobody hears of the other', async () => {
    const [here, there] = [await open(), await open()];
    keychain.changed.dispose();
    await here.add(account('a'), 'key a');
    await there.add(account('b'), 'key b');
    assert.deepEqual(there.all, [account('a'), account('b')]);
    await here.remove(account('a').id);
    assert.deepEqual(here.all, [account('b')]);
    assert.deepEqual(here.active, account('b'));
  });

  it('tell every window that a refused key was renewed', async () => {
    const here = await open();
    await here.add(account('a'), 'old');
    const there = await open();
    const heard = news(there);
    await here.add(account('a'), 'new');
    await heard;
    assert.equal(await there.key(account('a').id), 'new');
  });

  it('keep nothing of an account whose key cannot be kept', async () => {
    const here = await open();
    await here.add(account('a'), 'key a');
    keychain.failing = true;
    await assert.rejects(here.add(account('b'), 'key b'), /locked/);
    assert.deepEqual(here.all, [account('a')]);
    assert.deepEqual((await open()).all, [account('a')]);
  });

  it('write no key to the disk', async () => {
    const here = await open();
    await here.add(account('a'), 'very secret key');
    for (const name of await readdir(folder, { recursive: true })) {
      assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /very secret/);
    }
  });

  it('take all that was kept under them with them, after those who work for them were told', async () => {
    const here = await open();
    await here.add(account('a'), 'key a');
    const { id } = account('a');
    await mkdir(join(here.folder(id), 'results'), { recursive: true });
    await writeFile(join(here.folder(id), 'results', 'objects.csv'), 'rows');
    const seen: boolean[] = [];
    here.onDidChange(() => seen.push(existsSync(here.folder(id))));
    await here.remove(id);
    assert.equal(seen.includes(true), true);
    await assert.rejects(access(here.folder(id)), { code: 'ENOENT' });
    await assert.rejects(here.key(id), { code: 'signed-out' });
  });

  it('are never sent elsewhere by a file that somebody edited', async () => {
    const here = await open();
    await here.add(account('a'), 'key a');
    const file = join(folder, 'accounts.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('one.example', 'evil.example'));
    assert.deepEqual((await open()).all, []);
  });
});
