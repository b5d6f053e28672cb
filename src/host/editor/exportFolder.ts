import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import { showWarningMessage } from './messages';

/** The path of the folder to export to; undefined on Esc. */
export async function selectExportFolder(): Promise<string | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: vscode.l10n.t('Choose an export folder'),
      openLabel: vscode.l10n.t('Export Here'),
    })) ?? [];
  return folder?.fsPath;
}

/** Whether files that exist, as an error says, are to be replaced. Throws any other error. */
export async function confirmReplacing(error: unknown, detail: string): Promise<boolean> {
  if (!isCoded(error, 'exists')) throw error;
  const replace = vscode.l10n.t('Replace');
  const message = vscode.l10n.t('"{0}" already exists. Replace it?', error.details.subject ?? '');
  return (await showWarningMessage(message, { modal: true, detail }, replace)) === replace;
}
