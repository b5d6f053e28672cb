import type { ReasonSentences } from './reasonSentences';

/** Texts of the service, the system and libraries, quoted. */
export const otherReasons = {
  quoted: (_t, text) => text,
} satisfies Partial<ReasonSentences>;
