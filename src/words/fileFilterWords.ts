import type { Language } from './translate';

/** How far a search for files came. */
export interface FileFilterWords {
  text: string;
  matches: number;
  searched: number;
  ended?: 'canceled' | 'failed' | 'many';
}

/** What stands above files that are filtered by name. */
export function fileFilterWords(
  { t, locale }: Language,
  { text, matches, searched, ended }: FileFilterWords,
): string {
  const count = t(
    '{0} of {1} files and folders match "{2}".',
    matches.toLocaleString(locale),
    searched.toLocaleString(locale),
    text,
  );
  switch (ended) {
    case 'canceled':
      return `${count} ${t('The search was canceled.')}`;
    case 'failed':
      return `${count} ${t("Some folders couldn't be searched.")}`;
    case 'many':
      return `${count} ${t('Enter a longer text to see all matches.')}`;
    case undefined:
      return count;
  }
}
