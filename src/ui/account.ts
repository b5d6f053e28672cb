import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { CodedError } from '../base/errors';
import { Emitter } from '../base/event';
import type { Log } from '../base/log';
import type { StateStore } from '../base/stateStore';
import { StateFiles } from './stateFiles';

/** Who is signed in where. Its key lives in SecretStorage and nowhere else. */
export interface Account {
  /** Derived from base URL and user; names the account's folder and its secret. */
  id: string;
  baseUrl: string;
  user: string;
  email?: string;
  /** The account of the sample service that ships with the extension. */
  sample?: boolean;
}

/** An account is a base URL and a user: the same user on two services is two accounts. */
export function accountId(baseUrl: string, user: string): string {
  return createHash('sha256').update(`${baseUrl}\n${user}`).digest('hex').slice(0, 16);
}

interface AccountsState {
  accounts: Account[];
  active?: string;
}

/**
 * The one store of accounts. Whatever else is kept (jobs, names, downloads) is kept under its account and goes when
 * the account goes. Other windows hear of a change through SecretStorage and read the file again.
 */
export class Accounts implements Disposable {
  private readonly store = new DisposableStore();
  private readonly state: StateStore;
  private readonly changed = this.store.add(new Emitter<void>());
  private current: AccountsState = { accounts: [] };
  private turn: Promise<unknown> = Promise.resolve();

  /** The active account, or the list, is not what it was. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly directory: string,
    private readonly log: Log,
  ) {
    this.state = new StateFiles(directory);
    this.store.add(
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(SECRETS))
          this.hearOfKey().catch(error => log.error('Reading the accounts failed', error));
      }),
    );
  }

  get all(): readonly Account[] {
    return this.current.accounts;
  }

  get active(): Account | undefined {
    return this.current.accounts.find(account => account.id === this.current.active);
  }

  /** Reads the accounts from disk; tells listeners if they differ. */
  async load(): Promise<void> {
    const read = await this.read();
    if (JSON.stringify(read) === JSON.stringify(this.current)) return;
    this.current = read;
    this.changed.fire();
  }

  /** Adds the account, or renews the key of one that is there, and makes it the active one. */
  async add(account: Account, key: string): Promise<void> {
    await this.change(async before => {
      const others = before.accounts.filter(other => other.id !== account.id);
      await this.write({ accounts: [...others, account], active: account.id });
      // Last: other windows hear of it, and then read the file.
      try {
        await this.secrets.store(secretName(account.id), key);
      } catch (error) {
        await this.write(before);
        throw error;
      }
    });
    this.log.info(`Signed in to ${account.baseUrl} as ${account.user}`);
  }

  async activate(id: string): Promise<void> {
    await this.change(async before => {
      if (before.accounts.some(account => account.id === id)) await this.write({ ...before, active: id });
    });
  }

  /** Forgets the account: its key, and all that was kept under it. What works for it hears of it before its files go. */
  async remove(id: string): Promise<void> {
    await this.change(async before => {
      const accounts = before.accounts.filter(account => account.id !== id);
      const active = before.active === id ? accounts.at(-1)?.id : before.active;
      await this.write({ accounts, ...(active && { active }) });
      await this.secrets.delete(secretName(id));
    });
    // A download that is being given up may hold on for a moment.
    await rm(this.folder(id), { recursive: true, force: true, maxRetries: 8, retryDelay: 100 });
  }

  /** The account's key. Throws `signed-out` where there is none. */
  async key(id: string): Promise<string> {
    const key = await this.secrets.get(secretName(id));
    if (!key) throw new CodedError('signed-out', 'There is no API key for this account');
    return key;
  }

  /** The folder of everything kept under an account. */
  folder(id: string): string {
    return path.join(this.directory, 'accounts', id);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** One change at a time, made to what the file says now: another window may have changed it. Tells listeners. */
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
    return parseState(await this.state.read('accounts'));
  }

  private async write(next: AccountsState): Promise<void> {
    await this.state.write('accounts', next);
    this.current = next;
  }

  /** A key was set or removed, perhaps in another window: also one that is renewed is news to who was refused. */
  private async hearOfKey(): Promise<void> {
    await this.turn;
    this.current = await this.read();
    this.changed.fire();
  }
}

const SECRETS = 'imageAnalysis.key.';

function secretName(id: string): string {
  return `${SECRETS}${id}`;
}

/** What a file that may have been edited by hand says, as far as it makes sense. */
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
