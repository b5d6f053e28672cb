import { conditionsInHost } from '../../study/editor/conditionsInHost';
import { datasetsInHost } from '../../datasets/editor/datasetsInHost';
import { exportInHost } from '../../export/editor/exportInHost';
import { formulasInHost } from '../../formulas/editor/formulasInHost';
import { linkingInHost } from '../../linking/editor/linkingInHost';
import { masksInHost } from '../../masks/editor/masksInHost';
import { comparisonInHost } from '../../comparison/editor/comparisonInHost';
import { populationsInHost } from '../../populations/editor/populationsInHost';
import { platesInHost } from '../../plates/editor/platesInHost';
import { plotsInHost } from '../../plots/editor/plotCommands';
import type { ContributeToResults } from '../../session/editor/contribution';
import { tableInHost } from '../../table/editor/tableInHost';
import { tablePanelParts } from './tablePanelParts';

/** The subjects' contributions to open results, in order; loaded with the first result. */
export const contributions: readonly ContributeToResults[] = [
  linkingInHost,
  tableInHost(tablePanelParts),
  conditionsInHost,
  formulasInHost,
  plotsInHost,
  populationsInHost,
  platesInHost,
  masksInHost,
  exportInHost,
  comparisonInHost,
  datasetsInHost,
];
