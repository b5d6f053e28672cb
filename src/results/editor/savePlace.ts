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

/** A file that a user saves. */
interface FileToSave {
  /** The proposed name, before `proposedFileName`. */
  name: string;
  filters: Record<string, string[]>;
  /** The title of the dialog. */
  title: string;
  /** A file whose folder is proposed instead of the workspace. */
  beside?: string | undefined;
  /** A figure isn't proposed in a workspace, which often is a folder of images. */
  isFigure?: true;
}

/**
 * Prompts for a path and saves a file there. `write` may replace a file, as the dialog has asked. A
 * file that is open in another program can be saved again or elsewhere. Undefined if the user
 * cancels. Throws `not-a-file` for a path that isn't on a disk, and the errors of `write`.
 */
export async function saveWithDialog<T>(
  file: FileToSave,
  write: (filePath: string) => Promise<T>,
): Promise<{ path: string; saved: T } | undefined> {
  const filePath = await promptForPath(withProposedName(file));
  return filePath === undefined ? undefined : await saveAt(filePath, file, write);
}

/** As `saveWithDialog`, but with a selected path. */
async function saveAt<T>(
  filePath: string,
  { filters, title }: Pick<FileToSave, 'filters' | 'title'>,
  write: (filePath: string) => Promise<T>,
): Promise<{ path: string; saved: T } | undefined> {
  return await saveFile(filePath, write, {
    choose: open => promptForPath({ name: path.basename(open), filters, title, beside: open }),
    aboutOpen: error => askAboutOpenFile(error, vscode.l10n.t('Save As')),
  });
}

/** Saves images of a view. The dialog proposes the folder of a file. */
export function viewSaves(beside?: string): ViewSaves {
  const filters = { [vscode.l10n.t('PNG Image')]: ['png'] };
  const title = vscode.l10n.t('Save View');
  return new ViewSaves(
    name => promptForPath(withProposedName({ name, filters, title, beside })),
    (filePath, write) => saveAt(filePath, { filters, title }, write),
  );
}

/** The file with a valid proposed name. */
function withProposedName(file: FileToSave): FileToSave {
  return { ...file, name: proposedFileName(file.name) };
}

/**
 * Informs the user that a file is open in another program. `elsewhere`: label of the button to save
 * elsewhere.
 */
export async function askAboutOpenFile(error: CodedError, elsewhere: string): Promise<AboutOpenFile> {
  const tryAgain = vscode.l10n.t('Try Again');
  const button = await showErrorMessage(userMessage(error), tryAgain, elsewhere);
  if (button === tryAgain) return 'again';
  return button === elsewhere ? 'elsewhere' : undefined;
}

/**
 * Writes files, and if some exist, asks and then replaces them: `write` gets whether it may.
 * `detail` says which they are. Undefined if the person declines.
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
 * Prompts for the path of a file. Proposes a free name; the dialog asks before it replaces a file.
 * Undefined on Esc. Throws `not-a-file` for a path that isn't on a disk.
 */
async function promptForPath(file: FileToSave): Promise<string | undefined> {
  const { name, filters, title, beside, isFigure } = file;
  const folder =
    beside !== undefined
      ? vscode.Uri.file(path.dirname(beside))
      : isFigure
        ? await documentsFolder()
        : folderToSaveIn(vscode.workspace.workspaceFolders);
  const filePath = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t({ message: 'Save', comment: 'Verb' }),
    ...(folder && {
      defaultUri: vscode.Uri.joinPath(folder, await freeName(name, exists(folder))),
    }),
    filters,
  });
  if (filePath && filePath.scheme !== 'file') {
    throw new CodedError('not-a-file', 'Not on a disk', {
      subject: path.posix.basename(filePath.path),
      reason: reason('Only files on disk can be written'),
    });
  }
  return filePath?.fsPath;
}

/** The user's documents folder, or else the home folder. */
async function documentsFolder(): Promise<vscode.Uri> {
  const home = vscode.Uri.file(homedir());
  return (await exists(home)('Documents')) ? vscode.Uri.joinPath(home, 'Documents') : home;
}

/** Informs the user that a file was saved, and offers to show it. */
export async function showSaved(filePath: string): Promise<void> {
  const target = vscode.Uri.file(filePath);
  // In a browser or on another machine there is no file manager: files of the workspace are shown
  // in the Explorer, other files are opened.
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const isListed = vscode.workspace.getWorkspaceFolder(target) !== undefined;
  const command = isHere ? 'revealFileInOS' : isListed ? 'revealInExplorer' : 'vscode.open';
  const show =
    isHere || isListed
      ? vscode.l10n.t({ message: 'Reveal', comment: 'Verb: show a file in the Explorer' })
      : vscode.l10n.t({ message: 'Open', comment: 'Verb: open a file' });
  const words = vscode.l10n.t('Saved {0}.', path.basename(filePath));
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

/** The filter for tables in a dialog, with the given extensions. */
export function tableFiles(...extensions: string[]): Record<string, string[]> {
  return { [vscode.l10n.t('Table')]: extensions.length > 0 ? extensions : ['csv', 'tsv'] };
}
