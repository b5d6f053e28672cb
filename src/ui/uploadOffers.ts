import * as vscode from 'vscode';
import type { Accounts } from '../app/accounts/accounts';
import type { AccountSession } from '../app/accounts/accountSession';
import type { AccountSessions } from '../app/accounts/accountSessions';
import { hasStoredUploads } from '../app/uploads/storedUploads';
import {
  offerUnfinished,
  type OfferAnswer,
  type UnfinishedOffer,
  type UploadAgain,
} from '../app/uploads/unfinishedUploads';
import { unfinishedText } from '../app/uploads/uploadWords';
import { isCoded } from '../base/errors';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { showWarningMessage } from './surfaces/messages';

export interface UploadOfferParts {
  accounts: Accounts;
  sessions: Pick<AccountSessions, 'of' | 'onDidChangeActive'>;
  /** Uploads what a person wants to be uploaded again. */
  again: (session: AccountSession, files: UploadAgain) => void;
  log: Log;
}

/** Offers, whenever an account becomes the active one, to upload what windows that are gone have left of it. */
export function offerUploads({ accounts, sessions, again, log }: UploadOfferParts): Disposable {
  const store = new DisposableStore();
  const closing = new AbortController();
  /** Accounts whose uploads are being looked for or offered. */
  const offering = new Set<string>();
  const offer = async (accountId: string): Promise<void> => {
    // Most often nothing is stored: then nothing of the account is loaded.
    if (!(await hasStoredUploads(accounts.folder(accountId).uploads))) return;
    const session = await sessions.of(accountId);
    const hasKey = () =>
      accounts.key(accountId).then(
        () => true,
        () => false,
      );
    const files = await offerUnfinished(
      { uploads: session.uploads, hasKey, ask: askToUploadAgain },
      closing.signal,
    );
    for (const one of files) again(session, one);
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

async function askToUploadAgain(offer: UnfinishedOffer): Promise<OfferAnswer> {
  const { fileCount, mayBeSent } = offer;
  const all = vscode.l10n.t('Upload Again');
  const certain = fileCount - mayBeSent;
  const rest =
    certain === 1
      ? vscode.l10n.t('Upload the Other File')
      : vscode.l10n.t('Upload the Other {0} Files', certain);
  const discard = vscode.l10n.t('Discard');
  const button = await showWarningMessage(
    unfinishedText(vscode.l10n.t, offer),
    all,
    ...(mayBeSent > 0 && certain > 0 ? [rest] : []),
    discard,
  );
  if (button === all) return 'all';
  if (button === rest) return 'rest';
  return button === discard ? 'discard' : undefined;
}
