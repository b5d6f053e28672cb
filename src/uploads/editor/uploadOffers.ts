import type { Accounts } from '../../accounts/node/accounts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import { CrossWindowFolder } from '../../base/node/crossWindowFolder';
import type { UploadCommandDependencies } from './uploadCommands';

/** Offers an account's unfinished uploads of closed windows whenever it becomes active. */
export function offerUploads(accounts: Accounts, dependencies: UploadCommandDependencies): Disposable {
  const { sessions, log } = dependencies;
  const store = new DisposableStore();
  const closing = new AbortController();
  /** IDs of accounts whose uploads are being searched or offered. */
  const offering = new Set<string>();
  const offer = async (accountId: string): Promise<void> => {
    // Usually no uploads are stored: then don't load the account.
    const stored = await new CrossWindowFolder(accounts.folder(accountId).uploads).list('');
    if (stored.length === 0) return;
    const { offerUnfinishedUploads } = await import('./uploadCommands');
    await offerUnfinishedUploads(accounts, dependencies, accountId, closing.signal);
  };
  const check = () => {
    const { active } = accounts;
    if (!active || offering.has(active.id)) return;
    offering.add(active.id);
    offer(active.id)
      .catch((error: unknown) => {
        if (!isCoded(error, 'cancelled')) log.error('Unfinished uploads could not be offered', error);
      })
      .finally(() => offering.delete(active.id));
  };
  store.add(toDisposable(() => closing.abort()));
  store.add(sessions.onDidChangeActive(check));
  return store;
}
