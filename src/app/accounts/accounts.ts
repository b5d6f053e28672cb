import { readdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { StateFiles } from '../state/stateFiles';
import { accountId, type Account } from './account';
import { accountFolder, type AccountFolder, type AccountPlaces } from './accountFolder';
import { AccountKeys } from './accountKeys';
import { closeFolders, makePrivateFolder } from './privateFolders';
import type { SecretStore } from './secretStore';

interface AccountsState {
  accounts: Account[];
  active?: string;
}

/**
 * The one store of accounts. Everything else that belongs to an account is stored in its folder and is deleted with it.
 * Other windows learn of a change from `AccountKeys`, and read the file again.
 */
export class Accounts implements Disposable {
  private readonly store = new DisposableStore();
  private readonly state: StateFiles;
  private readonly keys: AccountKeys;
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly setAside = this.store.add(new Emitter<string>());
  private current: AccountsState = { accounts: [] };
  private turn: Promise<unknown> = Promise.resolve();
  private damaged = false;

  /** The list of accounts, or which one is active, has changed. */
  readonly onDidChange = this.changed.event;
  /** The file was damaged, and is replaced now; its content was saved in a file of this name. */
  readonly onDidSetAside = this.setAside.event;

  constructor(
    secrets: SecretStore,
    directory: string,
    private readonly log: Log,
    private readonly places: AccountPlaces = {
      accounts: path.join(directory, 'accounts'),
      caches: path.join(directory, 'accounts'),
    },
  ) {
    this.state = new StateFiles(directory);
    this.keys = this.store.add(new AccountKeys(secrets, path.join(directory, 'revisions'), log));
    this.store.add(
      this.keys.onDidChange(() => {
        this.onKeyChanged().catch(error => log.error('Reading the accounts failed', error));
      }),
    );
  }

  get all(): readonly Account[] {
    return this.current.accounts;
  }

  get active(): Account | undefined {
    return this.current.accounts.find(account => account.id === this.current.active);
  }

  /** Whether accounts may be missing because their file is damaged. What belongs to none of `all` must not be deleted then. */
  get isDamaged(): boolean {
    return this.damaged;
  }

  /** Reads the accounts from disk; fires the event if they differ. */
  async load(): Promise<void> {
    const read = await this.read();
    if (this.damaged) this.log.warn('The file of accounts is damaged; accounts may be missing');
    if (JSON.stringify(read) === JSON.stringify(this.current)) return;
    this.current = read;
    this.changed.fire();
  }

  /** Learns from now on of what other windows change, and deletes keys that were replaced or removed while this one was closed. */
  async follow(): Promise<void> {
    await this.keys.watch();
    await this.keys.deleteOutdated();
  }

  /** Closes the accounts' folders to other users of this machine, as earlier versions did not. */
  async closeFolders(): Promise<void> {
    await closeFolders(this.places.accounts);
  }

  /** Adds the account, or replaces the key of an existing one, and makes it the active one. */
  async add(account: Account, key: string): Promise<void> {
    await this.change(async before => {
      const others = before.accounts.filter(other => other.id !== account.id);
      await this.write({ accounts: [...others, account], active: account.id });
      // Last: this notifies other windows, which then read the file.
      try {
        await this.keys.set(account.id, key);
      } catch (error) {
        await this.write(before);
        throw error;
      }
    });
    await makePrivateFolder(this.folder(account.id).path).catch((error: unknown) =>
      this.log.error("The account's folder may be open to other users", error),
    );
    this.log.info(`Signed in to ${account.baseUrl} as ${account.user}`);
  }

  async activate(id: string): Promise<void> {
    await this.change(async before => {
      if (before.accounts.some(account => account.id === id)) await this.write({ ...before, active: id });
    });
  }

  /** Removes the account, its key and its folders. Listeners are notified before the folders are deleted, so that they stop using them. */
  async remove(id: string): Promise<void> {
    await this.change(async before => {
      const accounts = before.accounts.filter(account => account.id !== id);
      const active = before.active === id ? accounts.at(-1)?.id : before.active;
      await this.write({ accounts, ...(active && { active }) });
      await this.keys.remove(id);
    });
    // A download that is being canceled may still hold a file open for a moment.
    const { path: folder, cache } = this.folder(id);
    for (const one of new Set([folder, cache]))
      await rm(one, { recursive: true, force: true, maxRetries: 8, retryDelay: 100 });
  }

  /**
   * Deletes folders whose account is not in the accounts file, such as those that a sign-out could not delete. Deletes
   * nothing if that file can't be read, or while a damaged one is kept. Recent folders stay: another window may be about to
   * add their account.
   */
  async deleteOrphanedFolders(now = Date.now()): Promise<void> {
    const candidates: { name: string; folder: string }[] = [];
    for (const parent of new Set([this.places.accounts, this.places.caches])) {
      const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
      for (const entry of entries)
        if (entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name))
          candidates.push({ name: entry.name, folder: path.join(parent, entry.name) });
    }
    if (candidates.length === 0 || (await this.state.hasSetAside('accounts'))) return;
    // Read after the folders were listed: a session, and so a folder, is created only after its account was written.
    const known = idsInFile(await this.state.read('accounts'));
    if (!known) return;
    for (const { name, folder } of candidates) {
      if (known.has(name) || now - (await stat(folder)).mtimeMs < MIN_ORPHAN_AGE) continue;
      await rm(folder, { recursive: true, force: true });
      this.log.info(`Deleted the folder of an account that is not signed in: ${name}`);
    }
  }

  /** The account's API key. Throws `signed-out` if there is none. */
  async key(id: string): Promise<string> {
    const key = await this.keys.get(id);
    if (!key) throw new CodedError('signed-out', 'This account has no API key');
    return key;
  }

  /** Whether this window can read the account's API key. */
  async hasKey(id: string): Promise<boolean> {
    return (await this.keys.get(id)) !== undefined;
  }

  /** Where an account's data is stored. */
  folder(id: string): AccountFolder {
    return accountFolder(this.places, id);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** One change at a time, applied to the file's current content: another window may have changed it. Fires the event. */
  private change(edit: (before: AccountsState) => Promise<void>): Promise<void> {
    const changing = this.turn.then(async () => {
      try {
        await edit(await this.read());
      } finally {
        this.changed.fire();
      }
    });
    this.turn = changing.catch(() => undefined);
    return changing;
  }

  private async read(): Promise<AccountsState> {
    const { value, isDamaged } = await this.state.readOrDamaged('accounts');
    const read = parseState(value);
    const isMissing = value === undefined && !isDamaged;
    this.damaged = !isMissing && idsInFile(value)?.size !== read.accounts.length;
    return read;
  }

  private async write(next: AccountsState): Promise<void> {
    if (this.damaged) {
      const name = await this.state.setAside('accounts');
      this.log.warn(`The damaged file of accounts was saved as ${name}`);
      this.setAside.fire(name);
    }
    await this.state.write('accounts', next);
    this.current = next;
    this.damaged = false;
  }

  /** A key was stored or deleted, perhaps in another window. A replaced key counts as a change too: a paused tracker resumes. */
  private async onKeyChanged(): Promise<void> {
    await this.turn;
    const before = this.current.accounts;
    this.current = await this.read();
    this.changed.fire();
    const isGone = ({ id }: Account) => this.current.accounts.every(account => account.id !== id);
    if (before.some(isGone)) await this.keys.deleteOutdated();
  }
}

/** How long a folder without an account is left alone. Milliseconds. */
const MIN_ORPHAN_AGE = 24 * 60 * 60_000;

/** The IDs of all accounts of the file, also of invalid ones; undefined where it is missing or damaged. */
function idsInFile(value: unknown): Set<unknown> | undefined {
  const { accounts } = (value ?? {}) as { accounts?: unknown };
  if (!Array.isArray(accounts)) return undefined;
  return new Set(accounts.map((entry: unknown) => (entry as { id?: unknown } | null)?.id));
}

/** The valid accounts of a file that may have been edited by hand. */
function parseState(value: unknown): AccountsState {
  const { accounts, active } = (value ?? {}) as { accounts?: unknown; active?: unknown };
  const read = (Array.isArray(accounts) ? accounts : []).filter(
    (entry: unknown): entry is Account =>
      typeof entry === 'object' &&
      entry !== null &&
      typeof (entry as Account).baseUrl === 'string' &&
      typeof (entry as Account).user === 'string' &&
      (entry as Account).id === accountId((entry as Account).baseUrl, (entry as Account).user),
  );
  const known = read.some(account => account.id === active);
  return { accounts: read, ...(known && typeof active === 'string' ? { active } : {}) };
}
