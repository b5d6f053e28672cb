import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of formats/csv and formats/json. */
export const csvReasons = {
  'json-invalid': (t, byte) => t('Invalid JSON at byte {0}', byte),
  'json-ends-early': (t, bytes) => t('The JSON ends early, after {0} bytes', bytes),
  'json-too-deep': (t, levels) => t('The JSON is nested more than {0} levels deep', levels),
  'quote-never-closed': (t, line) => t('The quote opened on line {0} is never closed', line),
  'too-many-columns': (t, most) => t('The table has more than {0} columns', most),
} satisfies Partial<ReasonSentences>;
