import { conditionsLater } from '../../study/page/conditionsLater';
import { platesLater } from '../../plates/page/platePart';
import { formulasLater } from '../../formulas/page/formulaEditor';
import { plotsLater } from '../../plots/page/plotsLater';
import { populationsLater } from '../../populations/page/populationsLater';
import type { AddedLater } from '../../table/page/addedLater';
import { type LaterParts, tableLaterParts } from '../../table/page/laterParts';

/** The subjects' parts that the table's page loads later. */
const added: AddedLater = {
  conditions: conditionsLater,
  formulas: formulasLater,
  plots: plotsLater,
  populations: populationsLater,
  plates: platesLater,
};

/** All parts that load later; `scripts/pageBundles.mjs` makes a script of them. */
export const laterParts: LaterParts = {
  ...tableLaterParts,
  style: [tableLaterParts, ...Object.values<{ style: string }>({ ...added })]
    .map(({ style }) => style)
    .join(''),
  added,
};
