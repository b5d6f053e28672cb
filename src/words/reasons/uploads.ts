import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of uploads. */
export const uploadReasons = {
  'folder-named-dots': t => t('A folder on the service can\'t be named ".."'),
} satisfies Partial<ReasonSentences>;
