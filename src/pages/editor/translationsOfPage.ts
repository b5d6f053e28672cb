import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageTranslations } from '../pageTranslations';

/**
 * The translations of the messages that a page may show, which the build lists beside its script in
 * `root`. `bundle`: translations of the editor's language; undefined in English, when no file is
 * read.
 */
export async function translationsOfPage(
  bundle: PageTranslations | undefined,
  root: string,
  page: 'table' | 'masks' | 'comparison',
): Promise<PageTranslations> {
  if (!bundle) return {};
  const keys = JSON.parse(await readFile(join(root, `${page}.l10n.json`), 'utf8')) as string[];
  const translations = new Map(Object.entries(bundle));
  return Object.fromEntries(
    keys.flatMap(key => {
      const translation = translations.get(key);
      return translation === undefined ? [] : [[key, translation]];
    }),
  );
}
