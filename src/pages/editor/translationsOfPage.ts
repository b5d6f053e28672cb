import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { PageTranslations } from '../pageTranslations';
import { pageRoot } from './pageHtml';

/**
 * The translations of the messages that a page may show, which the build lists beside its script.
 * Nothing is read where the editor is in English.
 */
export async function translationsOfPage(
  extensionUri: vscode.Uri,
  page: 'table' | 'masks' | 'comparison',
): Promise<PageTranslations> {
  const { bundle } = vscode.l10n;
  if (!bundle) return {};
  const list = vscode.Uri.joinPath(pageRoot(extensionUri), `${page}.l10n.json`);
  const keys = JSON.parse(await readFile(list.fsPath, 'utf8')) as string[];
  const translations = new Map(Object.entries(bundle));
  return Object.fromEntries(
    keys.flatMap(key => {
      const translation = translations.get(key);
      return translation === undefined ? [] : [[key, translation]];
    }),
  );
}
