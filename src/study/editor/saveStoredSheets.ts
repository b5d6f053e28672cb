import * as path from 'node:path';
import * as vscode from 'vscode';
import { savedSheetName } from '../sampleSheet';
import { fileStems } from '../../results/node/fileStems';
import { refuseExisting } from '../../base/node/fileErrors';
import { saveWithDialog } from '../../results/editor/savePlace';
import { writeWholeFile } from '../../results/node/saveFile';
import type { StoredSheet } from '../node/storedSheets';

/**
 * Lets a user save one sheet to a file, or several to a folder. Returns whether they were saved.
 * Throws `exists`, `no-space`.
 */
export async function saveStoredSheets(sheets: readonly StoredSheet[]): Promise<boolean> {
  const [firstSheet, ...otherSheets] = sheets;
  if (!firstSheet) return true;
  if (otherSheets.length === 0) {
    const file = {
      name: savedSheetName(vscode.l10n.t, firstSheet.name),
      filters: { [vscode.l10n.t('Table')]: ['csv'] },
      title: vscode.l10n.t('Save Sample Sheet'),
    };
    return (
      (await saveWithDialog(file, destination =>
        writeWholeFile(destination, [Buffer.from(firstSheet.text)]),
      )) !== undefined
    );
  }
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Save Here'),
      title: vscode.l10n.t('Choose a folder for {0} sample sheets', sheets.length),
    })) ?? [];
  if (!folder) return false;
  const stems = fileStems(sheets.map(({ name }) => name));
  const destinations = stems.map(stem => path.join(folder.fsPath, savedSheetName(vscode.l10n.t, stem)));
  // Nothing is saved if one of the files exists.
  for (const destinationPath of destinations) await refuseExisting(destinationPath);
  for (const [at, { text }] of sheets.entries())
    await writeWholeFile(destinations[at] ?? '', [Buffer.from(text)]);
  return true;
}
