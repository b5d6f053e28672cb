import * as vscode from 'vscode';

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
