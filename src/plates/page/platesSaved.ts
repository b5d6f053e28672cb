import { t } from '../../pages/page/l10n';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart } from '../../table/page/viewHistory';
import { CLOSED_PLATES, type PlateChoices, type PlatesState, renamedChoices } from './plateModel';

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

/** What wells are measured by, and which are controls; whether that is open is no step. */
export const undonePlates: UndoPart = {
  of: ({ plates }) => {
    const { open: _, ...choices } = plates ?? CLOSED_PLATES;
    return { plates: choices };
  },
  words: ({ before, after }) => {
    if (!before.plates || !after.plates) return undefined;
    const isSame = JSON.stringify(before.plates.marks) === JSON.stringify(after.plates.marks);
    return isSame ? t('Change Plates') : t('Mark Controls');
  },
  renamed,
};
