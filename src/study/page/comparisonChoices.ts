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
  /** Those of technical replicates likewise. */
  technical?: string[] | undefined;
  /**
   * Whether the user said that each combination of values of the replicate columns is a replicate.
   */
  combined?: boolean | undefined;
  /** A condition; '' for none, where there would be one. */
  reference?: string | undefined;
  /** Whether replicates of one name are the same donors; absent until the user says so. */
  paired?: boolean | undefined;
  /** The columns of conditions and replicates that this was said of. */
  pairedOf?: string[] | undefined;
  scale: ComparisonScale;
  /** For several comparisons; absent means unadjusted. */
  intervals?: ComparisonIntervals | undefined;
  mean: ReplicateMean;
  figure?: FigureEdits | undefined;
}

/** The settings of a comparison; not whether it is open. */
export type CompareChoices = Omit<CompareState, 'open'>;

export const CLOSED_COMPARISON: CompareState = { open: false, scale: 'difference', mean: 'objects' };

export function choicesOf({ open: _, ...choices }: CompareState): CompareChoices {
  return choices;
}

/** Choices that follow columns that were renamed. */
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
