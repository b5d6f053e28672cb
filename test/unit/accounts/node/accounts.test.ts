import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded, type ErrorCode } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { type Account, accountId, Accounts } from '../../../../src/accounts/node/accounts';
import { ForeignDisk } from '../../foreignDisk';
import { itWith } from '../../capabilities';
import { Keychain } from './keychain';

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
    const notified = news(there);
    await here.add(account('a'), 'key a');
    await notified;
    assert.deepEqual(there.active, account('a'));
    assert.equal(await there.key(account('a').id), 'key a');
    const gone = news(there);
    await here.remove(account('a').id);
    await gone;
    assert.deepEqual(there.all, []);
  });

  it('do not overwrite each other, even without notice of the other change', async () => {
    const [here, there] = [await open(), await open()];
    keychain.changed.dispose();
    await here.add(account('a'), 'key a');
    await there.add(account('b'), 'key b');
    assert.deepEqual(there.all, [account('a'), account('b')]);
    await here.remove(account('a').id);
    assert.deepEqual(here.all, [account('b')]);
    assert.deepEqual(here.active, account('b'));
  });

  it('notify every window that a rejected key was renewed', async () => {
    const here = await open();
    await here.add(account('a'), 'old');
    const there = await open();
    const notified = news(there);
    await here.add(account('a'), 'new');
    await notified;
    assert.equal(await there.key(account('a').id), 'new');
  });

  it("store nothing of an account whose key can't be stored", async () => {
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
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        assert.doesNotMatch(await readFile(join(entry.parentPath, entry.name), 'utf8'), /very secret/);
    }
  });

  itWith('fileModes')(
    'have folders that other users of the machine cannot enter, also those that earlier versions made',
    async () => {
      const here = await open();
      const mode = async (path: string) => (await stat(path)).mode & 0o777;
      const signedIn = here.folder(account('a').id).path;
      const earlier = here.folder(account('b').id).path;
      await here.add(account('a'), 'key a');
      await mkdir(earlier, { recursive: true, mode: 0o755 });
      for (const path of [earlier, join(folder, 'accounts')]) await chmod(path, 0o755);
      await (await open()).restrictFolders();
      for (const path of [signedIn, earlier, join(folder, 'accounts')])
        assert.equal(await mode(path), 0o700, path);
      for (const file of [
        join(folder, 'accounts.json'),
        join(folder, 'revisions', `${account('a').id}.json`),
      ])
        assert.equal(await mode(file), 0o600, file);
    },
  );

  it('are removed with all their data, after listeners are notified', async () => {
    const here = await open();
    await here.add(account('a'), 'key a');
    const { id } = account('a');
    await mkdir(join(here.folder(id).path, 'results'), { recursive: true });
    await writeFile(join(here.folder(id).path, 'results', 'objects.csv'), 'rows');
    const seen: boolean[] = [];
    here.onDidChange(() => seen.push(existsSync(here.folder(id).path)));
    await here.remove(id);
    assert.equal(seen.includes(true), true);
    await assert.rejects(access(here.folder(id).path), { code: 'ENOENT' });
    await assert.rejects(here.key(id), { code: 'signed-out' });
  });

  describe('signed out', () => {
    let disk: ForeignDisk;
    const { id } = account('a');
    const revision = () => join(folder, 'revisions', `${id}.json`);
    const isFilesLeft = (code: string) => (error: unknown) =>
      isCoded(error, code as ErrorCode) &&
      error.details.reason?.message ===
        'You are signed out, but files of the account are still on this machine';

    /** Two windows that are signed in, and something that was downloaded. */
    const signedIn = async () => {
      const [here, there] = [await open(), await open()];
      const events = news(there);
      await here.add(account('b'), 'key b');
      await here.add(account('a'), 'key a');
      await events;
      await there.load();
      await mkdir(here.folder(id).results, { recursive: true });
      await writeFile(join(here.folder(id).results, 'objects.csv'), 'rows');
      return [here, there] as const;
    };

    beforeEach(() => {
      disk = new ForeignDisk(folder);
    });

    afterEach(() => disk.dispose());

    for (const [what, system, code, refused] of [
      ['full', 'ENOSPC', 'no-space', ['write', 'makeFolder']],
      ['read-only', 'EROFS', 'not-writable', ['write', 'makeFolder', 'rename', 'remove']],
    ] as const) {
      it(`while the disk is ${what}, they are gone in all of them, and the key is deleted`, async () => {
        const [here, there] = await signedIn();
        disk.refuse(refused, system);
        const gone = new Promise<void>(resolve =>
          there.onDidChange(() => there.active?.id !== id && resolve()),
        );
        await assert.rejects(here.remove(id), isFilesLeft(code));
        await gone;
        assert.deepEqual([...keychain.keys.keys()], [`imageAnalysis.key.${account('b').id}`]);
        for (const window of [here, there]) {
          assert.deepEqual(window.all, [account('b')]);
          await assert.rejects(window.key(id), { code: 'signed-out' });
        }
        assert.equal(here.active, undefined);
        // What can be removed is.
        assert.equal(existsSync(here.folder(id).path), system === 'EROFS');
      });

      it(`while the disk was ${what}, they stay gone once it can be written, until they sign in again`, async () => {
        const [here, there] = await signedIn();
        const refusal = disk.refuse(refused, system);
        const gone = new Promise<void>(resolve =>
          there.onDidChange(() => there.active?.id !== id && resolve()),
        );
        await assert.rejects(here.remove(id), isFilesLeft(code));
        await gone;
        refusal.dispose();
        await there.activate(account('b').id);
        assert.deepEqual((await open()).all, [account('b')]);
        const back = news(there);
        await here.add(account('a'), 'key a');
        await back;
        assert.deepEqual(there.all, [account('b'), account('a')]);
        assert.equal(await there.key(id), 'key a');
      });

      it(`is what they are not while the disk is ${what}: signing in leaves no key behind`, async () => {
        const here = await open();
        disk.refuse(refused, system);
        await assert.rejects(here.add(account('a'), 'key a'), error => isCoded(error, code));
        assert.deepEqual([here.all.length, keychain.keys.size], [0, 0]);
      });
    }

    it('on a disk that their own files fill, they are gone as after any sign-out', async () => {
      const [here] = await signedIn();
      disk.refuse(['write'], 'ENOSPC', () => existsSync(here.folder(id).path));
      await here.remove(id);
      assert.deepEqual((await open()).all, [account('b')]);
      assert.match(await readFile(revision(), 'utf8'), /^{"number":\d+}$/);
    });

    it('they are gone though the keychain is locked, and the key is void', async () => {
      const [here] = await signedIn();
      keychain.failing = true;
      await assert.rejects(here.remove(id), /locked/);
      assert.deepEqual(here.all, [account('b')]);
      keychain.failing = false;
      await assert.rejects((await open()).key(id), { code: 'signed-out' });
    });
  });

  describe('of a program', () => {
    const activeIn = async () => (await open()).active;

    it('never replace the active one, whatever other window it was chosen in', async () => {
      const [here, there] = [await open(), await open()];
      keychain.changed.dispose();
      await here.add(account('a'), 'key a');
      await there.add(account('b'), 'key b', 'if-none');
      await there.add(account('c'), 'key c', 'never');
      assert.equal(await there.activate(account('b').id, 'if-none'), false);
      assert.equal(await there.activate(account('c').id, 'never'), false);
      for (const active of [there.active, await activeIn()]) assert.deepEqual(active, account('a'));
      assert.equal(await there.key(account('b').id), 'key b');
      assert.equal(await there.activate(account('a').id, 'never'), true, 'it is the active one');
    });

    it('become active where none is', async () => {
      const here = await open();
      await here.add(account('a'), 'key a', 'never');
      assert.equal(here.active, undefined);
      await here.add(account('b'), 'key b', 'if-none');
      assert.deepEqual(here.active, account('b'));
      await here.remove(account('b').id, { activateNext: false });
      assert.equal(here.active, undefined);
      assert.equal(await here.activate(account('a').id, 'if-none'), true);
      assert.deepEqual(await activeIn(), account('a'));
    });

    it('can have the key of the active one renewed', async () => {
      const here = await open();
      await here.add(account('a'), 'old');
      await here.add(account('a'), 'new', 'if-none');
      assert.deepEqual([here.all, here.active], [[account('a')], account('a')]);
      assert.equal(await here.key(account('a').id), 'new');
    });

    it("don't follow on a person's sign-out before they were used", async () => {
      const here = await open();
      await here.add(account('own'), 'key');
      await here.add(account('a'), 'key a');
      await here.add(account('b'), 'key b', 'if-none');
      await here.remove(account('a').id);
      assert.deepEqual(here.active, account('own'));
      await here.remove(account('own').id);
      assert.equal(here.active, undefined);
      await here.add(account('own'), 'key');
      await here.activate(account('b').id);
      await here.activate(account('own').id);
      await here.remove(account('own').id);
      assert.deepEqual(await activeIn(), account('b'), 'a person has used it');
    });
  });

  it('have no files left elsewhere when they are removed, nor when their sign-out could not delete them', async () => {
    const places = { accounts: join(folder, 'accounts'), caches: join(folder, 'elsewhere') };
    const here = new Accounts(keychain.storage, folder, silentLog, places);
    windows.push(here);
    for (const user of ['a', 'b', 'kept']) await here.add(account(user), 'key');
    const cacheOf = (user: string) => here.folder(account(user).id).results;
    for (const user of ['a', 'b', 'kept']) {
      await mkdir(cacheOf(user), { recursive: true });
      await writeFile(join(cacheOf(user), 'objects.csv'), 'rows');
    }
    assert.equal(cacheOf('a').startsWith(places.caches), true);
    await here.remove(account('a').id);
    assert.deepEqual(['a', 'b', 'kept'].map(cacheOf).map(existsSync), [false, true, true]);
    const disk = new ForeignDisk(folder);
    try {
      disk.hold(join(cacheOf('b'), 'objects.csv'));
      await assert.rejects(here.remove(account('b').id), { code: 'in-use' });
    } finally {
      disk.dispose();
    }
    await here.deleteOrphanedFolders(Date.now() + 25 * 60 * 60_000);
    assert.deepEqual(['a', 'b', 'kept'].map(cacheOf).map(existsSync), [false, false, true]);
  });

  it('have their folders deleted a day after they are gone, unless the file of accounts is unreadable', async () => {
    const here = await open();
    await here.add(account('a'), 'key a');
    const owned = here.folder(account('a').id).path;
    const orphan = here.folder(account('b').id).path;
    const other = join(folder, 'accounts', 'notes');
    for (const path of [owned, orphan, other]) await mkdir(join(path, 'state'), { recursive: true });
    const tomorrow = Date.now() + 25 * 60 * 60_000;
    const file = join(folder, 'accounts.json');
    const text = await readFile(file, 'utf8');
    await here.deleteOrphanedFolders();
    for (const damaged of ['', '{"accounts": {}}', text.slice(0, -5)]) {
      await writeFile(file, damaged);
      await here.deleteOrphanedFolders(tomorrow);
    }
    await rm(file);
    await here.deleteOrphanedFolders(tomorrow);
    assert.equal(existsSync(orphan), true);
    await writeFile(file, text);
    await here.deleteOrphanedFolders(tomorrow);
    assert.deepEqual([owned, orphan, other].map(existsSync), [true, false, true]);
  });

  it('are damaged where their file is, and not where there is none', async () => {
    const here = await open();
    assert.equal(here.isDamaged, false);
    await here.add(account('a'), 'key a');
    await writeFile(join(folder, 'accounts.json'), '{"accounts": [');
    const there = await open();
    assert.equal(there.isDamaged, true);
    await there.add(account('a'), 'key a');
    assert.equal(there.isDamaged, false);
  });

  it('keep a damaged file when they replace it, say so once, and delete no folders meanwhile', async () => {
    const file = join(folder, 'accounts.json');
    const aside = `${file}.damaged`;
    const here = await open();
    await here.add(account('a'), 'key a');
    const half = (await readFile(file, 'utf8')).slice(0, -5);
    const added = JSON.stringify({ accounts: [account('a'), { id: 'edited by hand' }] });
    for (const damaged of [half, added]) {
      await writeFile(file, damaged);
      const there = await open();
      const events: string[] = [];
      there.onDidSetAside(name => events.push(name));
      assert.equal(existsSync(aside), false);
      await there.add(account('b'), 'key b');
      await there.activate(account('b').id);
      assert.deepEqual(events, ['accounts.json.damaged']);
      assert.equal(await readFile(aside, 'utf8'), damaged);
      const folderOfA = here.folder(account('a').id).path;
      await mkdir(folderOfA, { recursive: true });
      await there.deleteOrphanedFolders(Date.now() + 2 * 24 * 60 * 60_000);
      assert.equal(existsSync(folderOfA), true);
      await rm(aside);
    }
  });

  it('are never sent to another address by a file that was edited by hand', async () => {
    const here = await open();
    await here.add(account('a'), 'key a');
    const file = join(folder, 'accounts.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('one.example', 'evil.example'));
    assert.deepEqual((await open()).all, []);
  });
});
