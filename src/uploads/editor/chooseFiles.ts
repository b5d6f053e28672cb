import * as vscode from 'vscode';
import { formatBytes } from '../../host/editor/format';
import { expandFiles, needsReview, suggestedFiles, type ExpandedFiles } from '../node/expandFiles';
import { named, vscodeFiles } from './localFiles';
import { withCancelIfSlow } from '../../host/editor/progress';
import { showInformationMessage } from '../../host/editor/surfaces/messages';
import { showQuickPick } from '../../host/editor/surfaces/quickPick';

/**
 * The files of a person's call: those given, or selected in a dialog. A folder becomes a list with a count and sizes, to review
 * before anything is uploaded; with `reviewIfNeeded` not where it has images alone. Undefined on Esc.
 */
export async function chooseFiles(
  uris: readonly vscode.Uri[],
  openLabel: string,
  { reviewIfNeeded = false } = {},
): Promise<ExpandedFiles | undefined> {
  const selected = uris.length > 0 ? uris : await selectFiles(openLabel);
  if (!selected || selected.length === 0) return undefined;
  const expanded = await withCancelIfSlow(vscode.l10n.t('Listing files'), signal =>
    expandFiles(vscodeFiles, named(selected), signal),
  );
  if (expanded.files.length === 0 && expanded.failed.length === 0) {
    void showInformationMessage(
      expanded.hadFolder
        ? vscode.l10n.t('This folder is empty.')
        : vscode.l10n.t('Files that the system leaves in folders, such as Thumbs.db, are not uploaded.'),
    );
    return undefined;
  }
  if (!expanded.hadFolder) return expanded;
  return reviewIfNeeded && !needsReview(expanded) ? expanded : await reviewFiles(expanded);
}

async function selectFiles(openLabel: string): Promise<vscode.Uri[] | undefined> {
  return await vscode.window.showOpenDialog({ canSelectMany: true, canSelectFiles: true, openLabel });
}

async function reviewFiles(expanded: ExpandedFiles): Promise<ExpandedFiles | undefined> {
  const suggested = new Set(suggestedFiles(expanded.files));
  const total = expanded.files.reduce((sum, { size }) => sum + (Number.isFinite(size) ? size : 0), 0);
  const items = expanded.files.map(file => ({
    label: file.fileName,
    description: [file.folder, formatBytes(file.size)].filter(Boolean).join(' · '),
    picked: suggested.has(file),
    file,
  }));
  const selected = await showQuickPick(items, {
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t('{0} files, {1}', expanded.files.length, formatBytes(total)),
    placeHolder: vscode.l10n.t('Select the files to upload. Nothing has been uploaded yet.'),
  });
  if (!selected || selected.length === 0) return undefined;
  return { ...expanded, files: selected.map(({ file }) => file) };
}
