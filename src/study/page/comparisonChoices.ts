import type { ComparisonIntervals, ComparisonScale } from '../conditionComparison';
import type { ReplicateMean } from '../replicates';
import type { ChosenMeasure } from './chosenMeasure';
import type { FigureEdits } from './figureEdits';

/** The user's settings of a comparison; part of the page's saved state. */
export interface CompareState {
  open: boolean;
  measure?: ChosenMeasure | undefined;
  /** Names of columns. */
  condition?: string | undefined;
  replicate?: string[] | undefined;
  /** Names of the columns of technical replicates. */
  technical?: string[] | undefined;
  /**
   * Whether the user said that each combination of values in the replicate columns is a replicate.
   */
  combined?: boolean | undefined;
  /** The reference condition; '' if the user chose none. */
  reference?: string | undefined;
  /** Whether replicates with equal names are the same donors; absent until the user answers. */
  paired?: boolean | undefined;
  /** The columns of conditions and replicates at the time of that answer. */
  pairedOf?: string[] | undefined;
  scale: ComparisonScale;
  /** Intervals of several comparisons; unadjusted by default. */
  intervals?: ComparisonIntervals | undefined;
  mean: ReplicateMean;
  figure?: FigureEdits | undefined;
}

/** The settings of a comparison without `open`. */
export type CompareChoices = Omit<CompareState, 'open'>;

export const CLOSED_COMPARISON: CompareState = { open: false, scale: 'difference', mean: 'objects' };

export function choicesOf({ open: _, ...choices }: CompareState): CompareChoices {
  return choices;
}

/** Replaces the names of renamed columns in settings. */
export function choicesWithRenamedColumns<T extends CompareChoices>(
  choices: T,
  names: ReadonlyMap<string, string>,
): T {
  const { condition, replicate, technical, pairedOf } = choices;
  const renamed = (name: string) => names.get(name) ?? name;
  return {
    ...choices,
    ...(condition !== undefined && { condition: renamed(condition) }),
    ...(replicate && { replicate: replicate.map(renamed) }),
    ...(technical && { technical: technical.map(renamed) }),
    ...(pairedOf && { pairedOf: pairedOf.map(renamed) }),
  };
}
