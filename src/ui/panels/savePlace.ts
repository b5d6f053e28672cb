import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';

/**
 * Asks where to save a file; the dialog asks again before it names one that exists. Undefined when the user thought
 * better of it. Throws `not-a-file` for a place that is not on a disk.
 */
export async function savePlace(
  name: string,
  filters: Record<string, string[]>,
  beside?: string,
): Promise<vscode.Uri | undefined> {
  const folder =
    beside !== undefined
      ? vscode.Uri.file(path.dirname(beside))
      : vscode.workspace.workspaceFolders?.[0]?.uri;
  const place = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, fileName(name)) }),
    filters,
  });
  if (place && place.scheme !== 'file') {
    throw new CodedError('not-a-file', 'Not on a disk', {
      subject: path.posix.basename(place.path),
      reason: vscode.l10n.t('Only files on a disk can be written'),
    });
  }
  return place;
}

/** A name without what file systems refuse. */
export function fileName(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').slice(0, 120);
}
