import * as path from 'node:path';
import * as vscode from 'vscode';
import { freeName } from '../../app/results/freeName';
import { folderToSaveIn, proposedFileName } from '../../app/results/proposedFileName';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

/**
 * Asks where to save a file. The name proposed is that of no file, and the dialog confirms before it replaces one.
 * Undefined on Esc. Throws `not-a-file` for a place that is not on a disk.
 */
export async function savePlace(
  name: string,
  filters: Record<string, string[]>,
  beside?: string,
): Promise<vscode.Uri | undefined> {
  const folder =
    beside !== undefined
      ? vscode.Uri.file(path.dirname(beside))
      : folderToSaveIn(vscode.workspace.workspaceFolders);
  const place = await vscode.window.showSaveDialog({
    ...(folder && {
      defaultUri: vscode.Uri.joinPath(folder, await freeName(proposedFileName(name), exists(folder))),
    }),
    filters,
  });
  if (place && place.scheme !== 'file') {
    throw new CodedError('not-a-file', 'Not on a disk', {
      subject: path.posix.basename(place.path),
      reason: reason('writes-only-to-disk'),
    });
  }
  return place;
}

function exists(folder: vscode.Uri): (name: string) => Promise<boolean> {
  return async name => {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, name));
      return true;
    } catch {
      return false;
    }
  };
}
