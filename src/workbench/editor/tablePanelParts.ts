import type { TablePanelParts } from '../../table/editor/tablePanelPart';
import { populationsInPanel } from '../../populations/editor/populationsInPanel';
import { platesInPanel } from '../../plates/editor/platesInPanel';
import { conditionsInPanel } from '../../study/editor/conditionsInPanel';
import { formulasInPanel } from '../../formulas/editor/formulasInHost';

/** The subjects' parts of table panels. */
export const tablePanelParts: TablePanelParts = {
  conditions: conditionsInPanel,
  populations: populationsInPanel,
  plates: platesInPanel,
  formulas: formulasInPanel,
};
