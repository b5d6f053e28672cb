import * as vscode from 'vscode';

/** Files of the workspace that match a pattern, those that settings exclude too; at most `max`. */
export async function findWorkspaceFiles(
  pattern: string,
  max: number,
  signal: AbortSignal,
): Promise<vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await vscode.workspace.findFiles(pattern, null, max, source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Lets the user select the file of a background image; undefined on Esc. */
export async function selectBackgroundImage(): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Use as Background') })) ?? [];
  return uri;
}
