import { t } from '../../pages/page/l10n';
import {
  choicesOf,
  choicesWithRenamedColumns,
  CLOSED_COMPARISON,
  type CompareChoices,
  type CompareState,
} from './comparisonChoices';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart, ViewStep } from '../../table/page/viewHistory';

declare module '../../table/page/viewHistory' {
  interface UndoableView {
    /** The settings of the comparison, with columns by name. */
    compare?: CompareState;
    /** Whether the metadata of images is shown in place of the rows. */
    areImagesShown?: boolean;
    /** Whether the metadata was opened from a comparison. */
    areImagesFromComparison?: boolean;
  }

  interface ViewParts {
    compare: CompareChoices;
  }
}

const renamed: RenamesSteps['renamed'] = ({ compare }, names) =>
  compare ? { compare: choicesWithRenamedColumns(compare, names) } : {};

/** Metadata of images and the comparison of conditions in a table's saved view. */
export const savedConditions: SavedPart = {
  fitting: ({ compare, areImagesShown, areImagesFromComparison }, _table, _isSame, names) => ({
    ...(areImagesShown && { areImagesShown }),
    ...(areImagesShown && areImagesFromComparison && { areImagesFromComparison }),
    ...(compare && { compare: choicesWithRenamedColumns(compare, names) }),
  }),
  renamed,
  isOpen: ({ compare, areImagesShown }) => compare?.open === true || areImagesShown === true,
};

/** The undoable settings of a comparison; opening or closing it can't be undone. */
export const undoneComparison: UndoPart = {
  of: ({ compare }) => ({ compare: choicesOf(compare ?? CLOSED_COMPARISON) }),
  continued: step => continuedRange(step),
  words: ({ before, after }) => before.compare && after.compare && stepWords(before.compare, after.compare),
  renamed,
};

/** A key for the column of a range, if a step only changed the ends of the range. */
function continuedRange({ before, after }: ViewStep): string | undefined {
  if (Object.keys(after).join() !== 'compare') return undefined;
  const [from, to] = [before.compare?.measure, after.compare?.measure];
  if (from?.kind !== 'range' || to?.kind !== 'range' || from.name !== to.name) return undefined;
  const isOnlyRange = JSON.stringify({ ...before.compare, measure: to }) === JSON.stringify(after.compare);
  return isOnlyRange ? `compare ${to.name}` : undefined;
}

/**
 * Describes the changed settings. Another condition column also resets the settings that depend on
 * it.
 */
function stepWords(before: CompareChoices, after: CompareChoices): string {
  const isSame = (part: keyof CompareChoices) => JSON.stringify(before[part]) === JSON.stringify(after[part]);
  if (!isSame('measure')) return t('Change Measure');
  if (!isSame('condition')) return t('Change Condition');
  if (!isSame('replicate') || !isSame('technical') || !isSame('combined')) return t('Change Replicates');
  if (!isSame('reference')) return t('Change Reference');
  if (!isSame('scale')) return t('Change Difference or Ratio');
  if (!isSame('intervals')) return t('Change Intervals');
  if (!isSame('mean')) return t('Change Value of a Replicate');
  if (!isSame('figure')) return t('Change Figure');
  return after.paired ? t('Pair Replicates') : t('Don’t Pair Replicates');
}
