import { isCoded } from '../../../src/base/errors';
import type { Reason } from '../../../src/base/reasons';
import { reasonWords } from '../../../src/words/reasonWords';
import { plainEnglish } from '../../../src/words/translate';

/** The sentence of an error's reason; empty where it has none. */
export function reasonText(error: unknown): string {
  return isCoded(error) && error.details.reason ? sentences([error.details.reason]) : '';
}

/** Reasons as sentences, one after the other. */
export function sentences(reasons: readonly Reason[]): string {
  return reasons.map(one => reasonWords(plainEnglish, one)).join('. ');
}
