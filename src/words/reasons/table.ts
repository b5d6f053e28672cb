import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of results/table. */
export const tableReasons = {
  'not-a-text-file': t => t("The file isn't a text file"),
  'compressed-file': (t, format) => t('The file is compressed ({0}). Decompress it first', format),
  'zip-file': t => t('The file is a Zip archive or a spreadsheet. Save its table as CSV first'),
  'row-too-long': t => t('A row is longer than 1 GB; a quote may never be closed'),
  'column-texts-too-large': (t, column) =>
    t('The text in column "{0}" needs more memory than tables may use', column),
  'too-many-groups': (t, limit) => t('There are more than {0} groups', limit),
} satisfies Partial<ReasonSentences>;
