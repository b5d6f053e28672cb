import * as vscode from 'vscode';
import { formatBytes } from '../format';
import { expandFiles, looksLikeImage, type ExpandedFiles } from '../localFiles';
import { withCancelIfSlow } from './sendFiles';

/**
 * The files a person means: those named, or picked in a dialog. A folder becomes a list with a count and sizes, to be
 * looked over before anything is sent. Undefined on Esc.
 */
export async function chooseFiles(
  uris: readonly vscode.Uri[],
  openLabel: string,
): Promise<ExpandedFiles | undefined> {
  const named = uris.length > 0 ? uris : await pickFiles(openLabel);
  if (!named || named.length === 0) return undefined;
  const expanded = await withCancelIfSlow(vscode.l10n.t('Listing files'), signal =>
    expandFiles(named, signal),
  );
  if (!expanded.hadFolder) return expanded;
  if (expanded.files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no file in this folder.'));
    return undefined;
  }
  return await reviewFiles(expanded);
}

async function pickFiles(openLabel: string): Promise<vscode.Uri[] | undefined> {
  return await vscode.window.showOpenDialog({ canSelectMany: true, canSelectFiles: true, openLabel });
}

async function reviewFiles(expanded: ExpandedFiles): Promise<ExpandedFiles | undefined> {
  const images = expanded.files.filter(({ fileName }) => looksLikeImage(fileName));
  // A folder without a single known ending may still be all images: then everything is ticked.
  const ticked = new Set(images.length > 0 ? images : expanded.files);
  const total = expanded.files.reduce((sum, { size }) => sum + (Number.isFinite(size) ? size : 0), 0);
  const items = expanded.files.map(file => ({
    label: file.fileName,
    description: [file.folder, formatBytes(file.size)].filter(Boolean).join(' · '),
    picked: ticked.has(file),
    file,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t('{0} files, {1}', expanded.files.length, formatBytes(total)),
    placeHolder: vscode.l10n.t('Nothing has been sent yet. Choose the files to upload'),
  });
  if (!chosen || chosen.length === 0) return undefined;
  return { ...expanded, files: chosen.map(({ file }) => file) };
}
