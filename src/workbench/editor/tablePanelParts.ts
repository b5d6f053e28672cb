import type { TablePanelParts } from '../../table/editor/tablePanelPart';
import { conditionsInPanel } from '../../conditions/editor/conditionsInPanel';
import { formulasInPanel } from '../../formulas/editor/formulasInPanel';

/** What each subject adds to the panels of tables, in the order of the subjects. */
export const tablePanelParts: TablePanelParts = {
  conditions: conditionsInPanel,
  formulas: formulasInPanel,
};
