import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { accountFolder, type AccountFolder, type AccountPlaces } from './accountFolder';
import { AccountKeys, type SecretStore } from './accountKeys';
import { StateFiles } from './stateFiles';

/**
 * Whether an added account becomes active. A user's account always does. A program's account never
 * replaces an active one: it becomes active if none is, or never.
 */
export type Activation = 'always' | 'if-none' | 'never';

interface AccountsState {
  accounts: Account[];
  active?: string;
}

/**
 * The only store of accounts. All other data of an account is in its folder, and deleted with it.
 * Other windows are notified of changes by `AccountKeys`, and read the file again.
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
  private loading: Promise<void> | undefined;

  /** Fires when the list of accounts or the active account changed. */
  readonly onDidChange = this.changed.event;
  /**
   * Fires when a damaged file was replaced, with the name of the file that its content was moved
   * to.
   */
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

  /** Set while accounts are being read; settles when `all` is complete. */
  get reading(): Promise<void> | undefined {
    return this.loading;
  }

  /**
   * Whether accounts may be missing because their file is damaged. Then data of accounts outside
   * `all` must not be deleted.
   */
  get isDamaged(): boolean {
    return this.damaged;
  }

  /** Reads the accounts from disk; fires the event on changes. */
  load(): Promise<void> {
    return (this.loading ??= this.loadOnce().finally(() => (this.loading = undefined)));
  }

  private async loadOnce(): Promise<void> {
    const read = await this.read();
    if (this.damaged) this.log.warn('The file of accounts is damaged; accounts may be missing');
    if (JSON.stringify(read) === JSON.stringify(this.current)) return;
    this.current = read;
    this.changed.fire();
  }

  /** Applies changes by other windows, and deletes keys that these replaced or removed. */
  async watchOtherWindows(): Promise<void> {
    await this.keys.watch();
    await this.keys.deleteOutdated();
  }

  /** Makes the accounts' folders readable only by the user, which earlier versions did not. */
  async restrictFolders(): Promise<void> {
    if (!(await this.hasFolders())) return;
    const { restrictFolders } = await import('./accountsOnDisk');
    await restrictFolders(this.places.accounts);
  }

  /** Adds an account or replaces its key. `activation`: whether it becomes active. */
  async add(account: Account, key: string, activation: Activation = 'always'): Promise<void> {
    await this.change(async before => {
      const others = before.accounts.filter(other => other.id !== account.id);
      const existing = before.accounts.find(({ id }) => id === account.id);
      const isUnused = existing === undefined ? activation !== 'always' : existing.unused === true;
      const added: Account = { ...account, ...(isUnused && { unused: true }) };
      await this.write(activated({ ...before, accounts: [...others, added] }, account.id, activation));
      // Last, as it notifies other windows, which then read the file.
      try {
        await this.keys.set(account.id, key);
      } catch (error) {
        await this.write(before);
        throw error;
      }
    });
    const { makePrivateFolder } = await import('./accountsOnDisk');
    await makePrivateFolder(this.folder(account.id).path).catch((error: unknown) =>
      this.log.error("The account's folder may be open to other users", error),
    );
    this.log.info(`Signed in to ${account.baseUrl} as ${account.user}`);
  }

  /** Makes an account active if `activation` allows it; returns whether it is active. */
  async activate(id: string, activation: Activation = 'always'): Promise<boolean> {
    await this.change(async before => {
      const next = activated(before, id, activation);
      if (next !== before) await this.write(next);
      else this.current = before;
    });
    return this.current.active === id;
  }

  /**
   * Removes an account with its key and folders. If it was active, the last added account that was
   * ever used becomes active; with `activateNext` false, as for a program, none does. Listeners are
   * notified before folders are deleted, to stop using them. If the disk isn't writable, the
   * account is signed out nevertheless, and this throws `no-space`, `in-use` or `not-writable` with
   * the reason `signed-out-with-files`.
   */
  async remove(id: string, { activateNext = true }: { activateNext?: boolean } = {}): Promise<void> {
    const { takeSignOutSteps } = await import('./accountsOnDisk');
    const { path: folder, cache } = this.folder(id);
    let active: string | undefined;
    const store = (first?: () => Promise<void>) =>
      this.change(async before => {
        await first?.();
        const others = before.accounts.filter(account => account.id !== id);
        const next = activateNext ? others.findLast(({ unused }) => !unused)?.id : undefined;
        active ??= before.active === id ? next : before.active;
        await this.storeRemoval(before, id, active);
      });
    await takeSignOutSteps(
      {
        deleteKey: () => this.keys.deleteSecret(id),
        store,
        folders: new Set([folder, cache]),
      },
      this.log,
    );
  }

  /**
   * Deletes folders without an account in the accounts file, such as folders that a sign-out could
   * not delete. Deletes nothing if that file is unreadable or damaged. Recent folders are not
   * deleted: another window may be about to add their account.
   */
  async deleteOrphanedFolders(now = Date.now()): Promise<void> {
    if (!(await this.hasFolders())) return;
    const { deleteOrphans } = await import('./accountsOnDisk');
    const readIds = async () =>
      (await this.state.hasSetAside('accounts')) ? undefined : idsInFile(await this.state.read('accounts'));
    await deleteOrphans(new Set([this.places.accounts, this.places.caches]), readIds, now, this.log);
  }

  /** Whether any folder of an account exists. */
  private async hasFolders(): Promise<boolean> {
    const { accounts, caches } = this.places;
    const listed = [accounts, caches].map(parent => readdir(parent).catch(() => []));
    return (await Promise.all(listed)).flat().length > 0;
  }

  /** The account's API key. Throws `signed-out` if there is none. */
  async key(id: string): Promise<string> {
    const key = await this.keys.get(id);
    // Imported on use, as activation doesn't need its text.
    if (!key) throw (await import('./missingKey')).missingKeyError();
    return key;
  }

  /** Whether this window can read the account's API key. */
  async hasKey(id: string): Promise<boolean> {
    return (await this.keys.get(id)) !== undefined;
  }

  /** The folder with an account's data. */
  folder(id: string): AccountFolder {
    return accountFolder(this.places, id);
  }

  dispose(): void {
    this.store.dispose();
  }

  /**
   * Applies changes one after the other to the current content of the file, which other windows may
   * have changed. Fires the event.
   */
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
    this.keys.forgetDeleted(id => read.accounts.some(account => account.id === id));
    const accounts = read.accounts.filter(({ id }) => !this.keys.isDeleted(id));
    return accounts.length === read.accounts.length ? read : withActive(accounts, read.active);
  }

  /**
   * Stores the removal for all windows. If that fails, the account is still removed in this window,
   * without an active one.
   */
  private async storeRemoval(before: AccountsState, id: string, active: string | undefined): Promise<void> {
    const accounts = before.accounts.filter(account => account.id !== id);
    this.current = { accounts };
    try {
      await this.write(withActive(accounts, active));
    } finally {
      // This notifies other windows.
      await this.keys.revoke(id);
    }
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

  /**
   * Called when any window stored or deleted a key. A replaced key fires the event, so that a
   * paused tracker resumes.
   */
  private async onKeyChanged(): Promise<void> {
    await this.turn;
    const before = this.current.accounts;
    this.current = await this.read();
    this.changed.fire();
    const isGone = ({ id }: Account) => this.current.accounts.every(account => account.id !== id);
    if (before.some(isGone)) await this.keys.deleteOutdated();
  }
}

/**
 * The IDs of all accounts in the file, also invalid ones; undefined if the file is missing or
 * damaged.
 */
function idsInFile(value: unknown): Set<unknown> | undefined {
  const { accounts } = (value ?? {}) as { accounts?: unknown };
  if (!Array.isArray(accounts)) return undefined;
  return new Set(accounts.map((entry: unknown) => (entry as { id?: unknown } | null)?.id));
}

/**
 * The state with this account active, if `activation` allows it; the same object without a change.
 */
function activated(before: AccountsState, id: string, activation: Activation): AccountsState {
  const account = before.accounts.find(candidate => candidate.id === id);
  const isWanted = activation === 'always' || (activation === 'if-none' && before.active === undefined);
  if (!account || !isWanted || (before.active === id && !account.unused)) return before;
  const accounts = before.accounts.map(listed => (listed.id === id ? asUsed(listed) : listed));
  return { accounts, active: id };
}

function asUsed({ unused: _unused, ...account }: Account): Account {
  return account;
}

function withActive(accounts: Account[], active: string | undefined): AccountsState {
  return { accounts, ...(active !== undefined && accounts.some(({ id }) => id === active) && { active }) };
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
  return withActive(read, typeof active === 'string' ? active : undefined);
}

/** A user at a service. The key is stored only in SecretStorage. */
export interface Account {
  /** Computed from base URL and user; the name of the account's folder and of its secret. */
  id: string;
  baseUrl: string;
  user: string;
  email?: string;
  /** The account of the sample service that ships with the extension. */
  sample?: boolean;
  /** Added by a program and never used. Only a user activates it, or a call without a user. */
  unused?: true;
}

/** An account is a base URL and a user: the same user on two services is two accounts. */
export function accountId(baseUrl: string, user: string): string {
  return createHash('sha256').update(`${baseUrl}\n${user}`).digest('hex').slice(0, 16);
}
