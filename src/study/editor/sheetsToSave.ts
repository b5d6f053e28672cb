import * as vscode from 'vscode';
import type { DataToSave } from '../../accounts/editor/accountCommands';
import type { JobSession } from '../../jobs/node/jobSessions';
import type { ResultChoices } from '../../results/node/resultChoices';

/**
 * The stored metadata of images, to save before sign-out deletes it. `mark`: sheets start with a
 * byte order mark.
 */
export async function sheetsToSave(
  session: Pick<JobSession, 'account' | 'runs' | 'jobFacts'>,
  choices: Pick<ResultChoices, 'values'>,
  mark: boolean,
): Promise<DataToSave | undefined> {
  const { storedSheets } = await import('../node/storedSheets');
  const sheets = await storedSheets(session, choices, mark);
  if (sheets.length === 0) return undefined;
  return {
    words: sheetsWords(sheets.length),
    button: vscode.l10n.t('Save Sample Sheet…'),
    save: async () => (await import('./saveStoredSheets')).saveStoredSheets(sheets),
  };
}

function sheetsWords(count: number): string {
  return count === 1
    ? vscode.l10n.t(
        'The image columns of 1 result, such as conditions and donors, are removed too. Save them as a sample sheet first.',
      )
    : vscode.l10n.t(
        'The image columns of {0} results, such as conditions and donors, are removed too. Save them as sample sheets first.',
        count,
      );
}
