import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of engine. */
export const engineReasons = {
  'not-enough-memory': t => t('Not enough memory'),
  'too-many-objects-in-region': (t, limit) =>
    t('The region contains more than {0} objects. Draw a smaller one', limit),
} satisfies Partial<ReasonSentences>;
