import { platesInTable } from '../../plates/page/platesInTable';
import { populationsInTable } from '../../populations/page/populationsInTable';
import { formulasInTable } from '../../formulas/page/formulasInTable';
import { plotsInTable } from '../../plots/page/plotsInTable';
import { conditionsInTable } from '../../study/page/conditionsInTable';
import type { TableContribution } from '../../table/page/contribution';
import { openTablePage } from '../../table/page/openTablePage';

/** The subjects' contributions to the page of a table, in order. */
const contributions: readonly TableContribution[] = [
  conditionsInTable,
  formulasInTable,
  plotsInTable,
  platesInTable,
  populationsInTable,
];

openTablePage(contributions);
