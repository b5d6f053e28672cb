import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ResultSource } from '../node/resultSource';
import type { ResultPart } from '../../service/resultParts';
import type { TableChoice } from '../../columns/tableChoice';

/** The title of a panel; `table`: what is used where the result has no table of its objects. */
export function panelTitle({ title }: ResultSource, part: ResultPart, table?: TableChoice): string {
  switch (part) {
    case 'objects':
      if (table?.kind === 'measured') return vscode.l10n.t('Measured from masks: {0}', title);
      if (table) return vscode.l10n.t('Objects of {0} ({1})', title, fileName(table.uri));
      return vscode.l10n.t('Objects of {0}', title);
    case 'aggregate':
      return vscode.l10n.t('Aggregate of {0}', title);
    case 'masks':
      return vscode.l10n.t('Masks of {0}', title);
    case 'file':
    case 'image':
      return title;
  }
}

function fileName(uri: string): string {
  return posix.basename(vscode.Uri.parse(uri).path);
}
