import * as vscode from 'vscode';
import { showQuickPick } from '../../host/editor/boxes';

/** Asks whether to save a column for each population; undefined on Esc. */
export async function askForPopulations(title: string): Promise<boolean | undefined> {
  const items = [
    { label: vscode.l10n.t('Without populations'), populations: false },
    {
      label: vscode.l10n.t('With populations'),
      detail: vscode.l10n.t('A column for each: yes, no, or empty where a value is missing'),
      populations: true,
    },
  ];
  const placeHolder = vscode.l10n.t('Should populations be written?');
  return (await showQuickPick(items, { title, placeHolder }))?.populations;
}
