import { type PageWords, t } from '../../../pages/page/l10n';
import { classColor, type Rgb } from '../../../base/colors';
import { type ComparedSide, Outcome } from '../../comparison';

/**
 * Outcomes of a side's objects: flags of Outcome, and partners on the other side, −1 without one.
 */
interface OutcomesOfSide {
  flags: Uint8Array;
  partners: Int32Array;
}

export type OutcomesOfImage = Record<ComparedSide, OutcomesOfSide>;

/** The lists of objects in display order. */
export const listedOutcomes = ['matched', 'onlyA', 'onlyB', 'split', 'merged'] as const;
export type ListedOutcome = (typeof listedOutcomes)[number];

/** The objects of a list; the list of matched objects has a pair's object of A. */
export function objectsOfList(
  outcomes: OutcomesOfImage,
  list: ListedOutcome,
): { side: ComparedSide; object: number }[] {
  const side = list === 'onlyB' || list === 'merged' ? 'b' : 'a';
  const objects: { side: ComparedSide; object: number }[] = [];
  outcomes[side].flags.forEach((flags, object) => {
    if (isListed(flags, list)) objects.push({ side, object });
  });
  return objects;
}

function isListed(flags: number, list: ListedOutcome): boolean {
  if (flags & Outcome.Outside) return false;
  switch (list) {
    case 'matched':
      return (flags & Outcome.Matched) !== 0;
    case 'onlyA':
    case 'onlyB':
      return (flags & (Outcome.Matched | Outcome.Ignored)) === 0;
    case 'split':
    case 'merged':
      return (flags & Outcome.SplitOrMerged) !== 0;
  }
}

/**
 * The outcome that an object is painted with; undefined if it isn't counted. A split or merged
 * object may be matched too.
 */
export function outcomeOf(side: ComparedSide, flags: number): ListedOutcome | undefined {
  if (flags & (Outcome.Outside | Outcome.Ignored)) return undefined;
  if (flags & Outcome.SplitOrMerged) return side === 'a' ? 'split' : 'merged';
  if (flags & Outcome.Matched) return 'matched';
  return side === 'a' ? 'onlyA' : 'onlyB';
}

/** Names of the lists of objects. */
export const outcomeNames: Readonly<Record<ListedOutcome, PageWords>> = {
  matched: t.later({ message: 'Matched', comment: 'Objects that both archives have' }),
  onlyA: t.later('Only A'),
  onlyB: t.later('Only B'),
  split: t.later({ message: 'Split', comment: 'One object of A that is several objects of B' }),
  merged: t.later({ message: 'Merged', comment: 'Several objects of A that are one object of B' }),
};

/** The outcome of an object as text. */
export function outcomeWords(side: ComparedSide, flags: number): string {
  if (flags & Outcome.Outside) return t('Outside the region');
  if (flags & Outcome.Ignored) return t('Ignored');
  const matched = flags & Outcome.Matched ? 'matched' : side === 'a' ? 'onlyA' : 'onlyB';
  const outcome = outcomeOf(side, flags);
  const words = outcomeNames[matched]();
  return outcome && outcome !== matched ? t('{0}, {1}', words, outcomeNames[outcome]()) : words;
}

/** Colors of the outlines, which are solid for A and dashed for B. */
export const sideColors: Record<ComparedSide, Rgb> = { a: classColor(1), b: classColor(0) };

/** Colors of outcomes, from the palette of classes: distinct with any color vision. */
export const outcomeColors: Record<ListedOutcome, Rgb> = {
  matched: classColor(2),
  onlyA: classColor(5),
  onlyB: classColor(3),
  split: classColor(4),
  merged: classColor(6),
};
