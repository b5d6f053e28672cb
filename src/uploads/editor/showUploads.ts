import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { createQuickPick } from '../../host/editor/boxes';
import { type RunningUpload, UploadsElsewhere } from '../node/accountUploads';
import type { StoredBatch } from '../node/uploadBatches';
import type { QueuedFile } from '../node/uploadQueue';
import type { UploadSession } from '../node/uploadSessions';
import { sortedFiles, uploadRow } from '../node/uploadWords';

/** Minimum milliseconds between two redraws of the list. */
const INTERVAL = 500;

/** Maximum files listed per upload; files being sent and failed files come first. */
const MAX_ROWS = 500;

interface UploadItem extends vscode.QuickPickItem {
  /** Identifies the row across redraws. */
  key: string;
  act?: () => void;
}

/**
 * Shows the uploads of the account. This window's uploads are listed file by file, with buttons to
 * cancel or retry a file; uploads of other windows have one row each. `onError` gets the errors of
 * uploads that can't be canceled.
 */
export async function showUploads(
  { uploads }: UploadSession,
  onError: (error: unknown) => void,
): Promise<void> {
  const elsewhere = await UploadsElsewhere.of(uploads);
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<UploadItem>());
  const keys = new Map<QueuedFile, string>();
  let isOpen = true;
  const draw = () => {
    const active = pick.activeItems[0]?.key;
    const items = [
      ...uploads.running.flatMap(upload => itemsOfUpload(upload, keys)),
      ...elsewhere.batches.map(batch =>
        itemOfOtherWindow(batch, () => void elsewhere.cancel(batch).then(drawIfOpen, onError)),
      ),
    ];
    pick.placeholder =
      items.length === 0
        ? vscode.l10n.t('No uploads in progress')
        : vscode.l10n.t('Press Enter to cancel or retry a file');
    pick.items = items;
    pick.activeItems = pick.items.filter(({ key }) => key === active);
  };
  pick.title = vscode.l10n.t({ message: 'Uploads', comment: 'Noun' });
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      item.act?.();
      draw();
    }),
  );
  store.add(
    pick.onDidAccept(() => {
      pick.activeItems[0]?.act?.();
      draw();
    }),
  );
  const drawIfOpen = () => {
    if (isOpen) draw();
  };
  let drawnAt = 0;
  let count = uploads.running.length;
  store.add(
    uploads.onDidChange(() => {
      // Show at once that an upload began or ended, because no other change may follow.
      if (uploads.running.length === count && performance.now() - drawnAt < INTERVAL) return;
      drawnAt = performance.now();
      count = uploads.running.length;
      draw();
    }),
  );
  await new Promise<void>(hidden => {
    store.add(pick.onDidHide(() => hidden()));
    draw();
    pick.show();
  });
  isOpen = false;
  store.dispose();
}

function itemsOfUpload(
  { queue, destinationFolder, cancel }: RunningUpload,
  keys: Map<QueuedFile, string>,
): UploadItem[] {
  const { t } = vscode.l10n;
  const language = { t, locale: vscode.env.language };
  const uploadItem = {
    key: `all ${keyOf(queue.files[0], keys)}`,
    label: queue.files.length === 1 ? t('Uploading 1 file') : t('Uploading {0} files', queue.files.length),
    description: destinationFolder,
    iconPath: new vscode.ThemeIcon('folder'),
    buttons: [{ iconPath: new vscode.ThemeIcon('close'), tooltip: t('Cancel All') }],
    act: cancel,
  };
  const sorted = sortedFiles(queue.files);
  const files = sorted.slice(0, MAX_ROWS).map(file => {
    const { label, description, icon, action } = uploadRow(language, file);
    return {
      key: keyOf(file, keys),
      label,
      description,
      iconPath: new vscode.ThemeIcon(icon),
      ...(action === 'cancel' && {
        buttons: [{ iconPath: new vscode.ThemeIcon('close'), tooltip: t('Cancel') }],
        act: () => queue.cancel(file),
      }),
      ...(action === 'retry' && {
        buttons: [{ iconPath: new vscode.ThemeIcon('refresh'), tooltip: t('Retry') }],
        act: () => queue.retry(file),
      }),
    };
  });
  const hiddenCount = sorted.length - files.length;
  return [
    uploadItem,
    ...files,
    ...(hiddenCount > 0 ? [{ key: `more ${uploadItem.key}`, label: t('{0} more files', hiddenCount) }] : []),
  ];
}

function itemOfOtherWindow({ id, states }: StoredBatch, cancel: () => void): UploadItem {
  const { t } = vscode.l10n;
  const done = states.filter(state => state === 'done').length;
  return {
    key: id,
    label: t('Uploading in another window'),
    description: states.length === 0 ? '' : t('{0} of {1} files', done, states.length),
    iconPath: new vscode.ThemeIcon('window'),
    buttons: [{ iconPath: new vscode.ThemeIcon('close'), tooltip: t('Cancel All') }],
    act: cancel,
  };
}

/** A key for a file that stays the same while the list is open. */
function keyOf(file: QueuedFile | undefined, keys: Map<QueuedFile, string>): string {
  if (!file) return '';
  const key = keys.get(file) ?? String(keys.size);
  keys.set(file, key);
  return key;
}
