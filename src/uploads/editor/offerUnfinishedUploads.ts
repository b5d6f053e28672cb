import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import { type OfferAnswer, offerUnfinished, type UnfinishedOffer } from '../node/accountUploads';
import { unfinishedText } from '../node/uploadWords';
import { uploadAgain, type UploadCommandParts } from './uploadCommands';
import { showWarningMessage } from '../../host/editor/messages';

/** Offers the uploads of an account that closed windows left unfinished, and uploads what the user selects. */
export async function offerUnfinishedUploads(
  accounts: Accounts,
  parts: UploadCommandParts,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const session = await parts.sessions.of(accountId);
  const hasKey = () =>
    accounts.key(accountId).then(
      () => true,
      () => false,
    );
  const files = await offerUnfinished({ uploads: session.uploads, hasKey, ask: askToUploadAgain }, signal);
  for (const one of files) uploadAgain(parts, session, one);
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
