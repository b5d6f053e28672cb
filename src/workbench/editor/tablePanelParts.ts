import type { TablePanelParts } from '../../table/editor/tablePanelPart';
import { formulasInPanel } from '../../formulas/editor/formulasInPanel';
import { conditionsInPanel } from './conditionsInPanel';

/** What each subject adds to the panels of tables, in the order of the subjects. */
export const tablePanelParts: TablePanelParts = {
  conditions: conditionsInPanel,
  formulas: formulasInPanel,
};
