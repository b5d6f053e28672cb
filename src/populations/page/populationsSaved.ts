import { t } from '../../pages/page/l10n';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart } from '../../table/page/viewHistory';
import type { Population } from '../population';
import { withRenamedColumns } from '../renamedPopulations';

/** The saved state of the populations' part of the page. */
export interface PopulationsState {
  open: boolean;
  /** In pixels. */
  width: number;
  /** Name of the column whose mean is shown for each population. */
  mean?: string | undefined;
}

export const CLOSED: PopulationsState = { open: false, width: 300 };

declare module '../../table/page/viewHistory' {
  interface UndoableView {
    populations?: readonly Population[];
    populationsPart?: PopulationsState;
  }

  interface ViewParts {
    populations: readonly Population[];
  }
}

const renamed: RenamesSteps['renamed'] = ({ populations }, names) =>
  populations ? { populations: withRenamedColumns(populations, names) } : {};

/** The part's state and the list of populations in a table's saved view, the latter for undo. */
export const savedPopulationsPart: SavedPart = {
  fitting: ({ populations, populationsPart }) => ({
    ...(populations && { populations }),
    ...(populationsPart && { populationsPart }),
  }),
  renamed,
  isOpen: ({ populationsPart }) => populationsPart?.open === true,
};

/** Undo of changes of the list of populations, not of whether the part is open. */
export const undonePopulations: UndoPart = {
  isCause: true,
  of: ({ populations }) => ({ populations: populations ?? [] }),
  words: ({ before, after }) => {
    if (!before.populations || !after.populations) return undefined;
    const more = after.populations.length - before.populations.length;
    if (more > 0) return t('Add Population');
    return more < 0 ? t('Delete Population') : t('Change Population');
  },
  renamed,
};
