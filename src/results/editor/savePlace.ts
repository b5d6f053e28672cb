import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError, isCoded } from '../../base/errors';
import { reason } from '../../base/reasons';
import { userMessage } from '../../host/editor/language';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../../host/editor/messages';
import {
  type AboutOpenFile,
  folderToSaveIn,
  freeName,
  proposedFileName,
  saveFile,
  ViewSaves,
} from '../node/saveFile';

/** A file that a person saves. */
interface FileToSave {
  /** The proposed name, which is then made plain. */
  name: string;
  filters: Record<string, string[]>;
  /** What the dialog is called. */
  title: string;
  /** A file whose folder is proposed, instead of that of the workspace. */
  beside?: string | undefined;
  /** Saves a result to show: not to be proposed among images, which a workspace often is. */
  isFigure?: true;
}

/**
 * Asks where to save a file, and saves it there by `write`, which gets a path and may replace a
 * file: the dialog has asked. A file that is open in another program can be saved again or
 * elsewhere. Undefined if the person saves nothing. Throws `not-a-file` for a place that is not on
 * a disk, and what `write` throws.
 */
export async function saveToPlace<T>(
  file: FileToSave,
  write: (place: string) => Promise<T>,
): Promise<{ path: string; saved: T } | undefined> {
  const place = await savePlace(named(file));
  return place === undefined ? undefined : await saveAt(place, file, write);
}

/** As `saveToPlace` where the place was selected before. */
async function saveAt<T>(
  place: string,
  { filters, title }: Pick<FileToSave, 'filters' | 'title'>,
  write: (place: string) => Promise<T>,
): Promise<{ path: string; saved: T } | undefined> {
  return await saveFile(place, write, {
    choose: open => savePlace({ name: path.basename(open), filters, title, beside: open }),
    aboutOpen: error => askAboutOpenFile(error, vscode.l10n.t('Save As')),
  });
}

/** Images of a view that a person saves; the dialog proposes the folder of a file. */
export function viewSaves(beside?: string): ViewSaves {
  const filters = { [vscode.l10n.t('PNG Image')]: ['png'] };
  const title = vscode.l10n.t('Save View');
  return new ViewSaves(
    name => savePlace(named({ name, filters, title, beside })),
    (place, write) => saveAt(place, { filters, title }, write),
  );
}

/** What was proposed first; a name that somebody has chosen stays as it is. */
function named(file: FileToSave): FileToSave {
  return { ...file, name: proposedFileName(file.name) };
}

/** Says that a file is open in another program. `elsewhere`: what the button does. */
export async function askAboutOpenFile(error: CodedError, elsewhere: string): Promise<AboutOpenFile> {
  const again = vscode.l10n.t('Try Again');
  const button = await showErrorMessage(userMessage(error), again, elsewhere);
  if (button === again) return 'again';
  return button === elsewhere ? 'elsewhere' : undefined;
}

/**
 * Writes files, and if some exist, asks and then replaces them: `write` gets whether it may.
 * `detail` says which they are. Undefined where the person declines.
 */
export async function confirmReplacing<T>(
  write: (overwrite: boolean) => Promise<T>,
  detail: string,
): Promise<T | undefined> {
  try {
    return await write(false);
  } catch (error) {
    if (!isCoded(error, 'exists')) throw error;
    const replace = vscode.l10n.t('Replace');
    const question = vscode.l10n.t('"{0}" already exists. Replace it?', error.details.subject ?? '');
    const button = await showWarningMessage(question, { modal: true, detail }, replace);
    return button === replace ? await write(true) : undefined;
  }
}

/**
 * Asks where to save a file. Proposes a free name; the dialog confirms before replacing a file.
 * Undefined on Esc. Throws `not-a-file` for a place that is not on a disk.
 */
async function savePlace(file: FileToSave): Promise<string | undefined> {
  const { name, filters, title, beside, isFigure } = file;
  const folder =
    beside !== undefined
      ? vscode.Uri.file(path.dirname(beside))
      : isFigure
        ? await documentsFolder()
        : folderToSaveIn(vscode.workspace.workspaceFolders);
  const place = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t({ message: 'Save', comment: 'Verb' }),
    ...(folder && {
      defaultUri: vscode.Uri.joinPath(folder, await freeName(name, exists(folder))),
    }),
    filters,
  });
  if (place && place.scheme !== 'file') {
    throw new CodedError('not-a-file', 'Not on a disk', {
      subject: path.posix.basename(place.path),
      reason: reason('Only files on disk can be written'),
    });
  }
  return place?.fsPath;
}

/** Where a person's documents are, else their home. */
async function documentsFolder(): Promise<vscode.Uri> {
  const home = vscode.Uri.file(homedir());
  return (await exists(home)('Documents')) ? vscode.Uri.joinPath(home, 'Documents') : home;
}

/** Says that a file was saved, and shows it where its folder can be shown. */
export async function showSaved(place: string): Promise<void> {
  const target = vscode.Uri.file(place);
  // In a browser, or on another machine, there is no file manager: the Explorer shows what is in
  // the workspace, and all else can be opened.
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const isListed = vscode.workspace.getWorkspaceFolder(target) !== undefined;
  const command = isHere ? 'revealFileInOS' : isListed ? 'revealInExplorer' : 'vscode.open';
  const show =
    isHere || isListed
      ? vscode.l10n.t({ message: 'Reveal', comment: 'Verb: show a file in the Explorer' })
      : vscode.l10n.t({ message: 'Open', comment: 'Verb: open a file' });
  const words = vscode.l10n.t('Saved {0}.', path.basename(place));
  if ((await showInformationMessage(words, show)) === show)
    await vscode.commands.executeCommand(command, target);
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

/** Tables as a dialog lists them, by the endings of their names. */
export function tableFiles(...extensions: string[]): Record<string, string[]> {
  return { [vscode.l10n.t('Table')]: extensions.length > 0 ? extensions : ['csv', 'tsv'] };
}
