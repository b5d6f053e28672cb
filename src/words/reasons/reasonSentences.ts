import type { ReasonArguments, ReasonKind } from '../../base/reasons';
import type { Translate } from '../translate';

/** How each kind of reason becomes a sentence, without its period. */
export type ReasonSentences = {
  [K in ReasonKind]: (t: Translate, ...args: ReasonArguments[K]) => string;
};
