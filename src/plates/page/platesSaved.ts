import { t } from '../../pages/page/l10n';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart } from '../../table/page/viewHistory';
import type { ChosenMeasure } from '../../study/page/chosenMeasure';
import type { ChosenScale } from './plateScale';
import type { ControlMarks } from '../plateRequests';
import type { ShownAs, WellStatisticId } from '../plates';

/** The selected measure of wells; columns by name. */
export type ChosenWellMeasure = ChosenMeasure | { kind: 'objects'; population?: string };

/** Plates as the user set them up; part of the page's saved state. */
export interface PlatesState {
  open: boolean;
  measure?: ChosenWellMeasure | undefined;
  /** The statistic of a column; the median if absent. */
  statistic?: WellStatisticId | undefined;
  as?: ShownAs | undefined;
  marks?: ControlMarks | undefined;
  /** The number of wells of a plate; if absent, of the smallest plate that fits. */
  size?: number | undefined;
  scale?: ChosenScale | undefined;
  /** The user said that all images are of one plate. */
  isOnePlate?: true | undefined;
}

export type PlateChoices = Omit<PlatesState, 'open'>;

export const CLOSED_PLATES: PlatesState = { open: false };

function choicesOf({ open: _, ...choices }: PlatesState): PlateChoices {
  return choices;
}

/** Choices with renamed columns. */
export function renamedChoices<T extends PlateChoices>(choices: T, names: ReadonlyMap<string, string>): T {
  const { measure } = choices;
  if (measure?.kind !== 'column' && measure?.kind !== 'range') return choices;
  return { ...choices, measure: { ...measure, name: names.get(measure.name) ?? measure.name } };
}

declare module '../../table/page/viewHistory' {
  interface UndoableView {
    plates?: PlatesState;
  }

  interface ViewParts {
    plates: PlateChoices;
  }
}

const renamed: RenamesSteps['renamed'] = ({ plates }, names) =>
  plates ? { plates: renamedChoices(plates, names) } : {};

/** Plates in the saved view of a table. */
export const savedPlates: SavedPart = {
  fitting: ({ plates }, _table, _isSame, names) => (plates ? { plates: renamedChoices(plates, names) } : {}),
  renamed,
  isOpen: ({ plates }) => plates?.open === true,
};

/** The undoable settings: measure and controls; opening plates isn't a step. */
export const undonePlates: UndoPart = {
  of: ({ plates }) => ({ plates: choicesOf(plates ?? CLOSED_PLATES) }),
  words: ({ before, after }) => {
    if (!before.plates || !after.plates) return undefined;
    const isSame = JSON.stringify(before.plates.marks) === JSON.stringify(after.plates.marks);
    return isSame ? t('Change Plates') : t('Mark Controls');
  },
  /** Dragging the ends of the scale is one step. */
  continued: ({ before, after }) => {
    const { scale } = after.plates ?? {};
    if (Object.keys(after).join() !== 'plates' || typeof scale !== 'object') return undefined;
    const isScale =
      JSON.stringify({ ...before.plates, scale }) === JSON.stringify({ ...after.plates, scale });
    return isScale ? 'plates' : undefined;
  },
  renamed,
};
