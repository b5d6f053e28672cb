import type { ComparisonStore, CompareText } from '../state/comparisonStore';

/** What each part of the inspector is a function of. */
export interface ComparisonProps {
  store: ComparisonStore;
  text: CompareText;
}

/** A ratio in words; "–" where it is missing. */
export function shareWords(ratio: number | null | undefined, text: CompareText): string {
  return ratio === null || ratio === undefined ? '–' : text.fixed(ratio, 3);
}
