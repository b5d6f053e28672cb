import type { TablePanelParts } from '../../table/editor/tablePanelPart';
import { populationsInPanel } from '../../populations/editor/populationsInPanel';
import { platesInPanel } from '../../plates/editor/platesInPanel';
import { conditionsInPanel } from '../../study/editor/conditionsInPanel';
import { formulasInPanel } from '../../formulas/editor/formulasInPanel';

/** What each subject adds to the panels of tables, in the order of the subjects. */
export const tablePanelParts: TablePanelParts = {
  conditions: conditionsInPanel,
  populations: populationsInPanel,
  plates: platesInPanel,
  formulas: formulasInPanel,
};
