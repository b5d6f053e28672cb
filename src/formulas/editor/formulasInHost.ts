import type { ContributeToResults } from '../../session/editor/contribution';
import { followRenames, FormulaStore } from '../node/formulaStore';
import { addFormulas } from '../node/sessionFormulas';

/** Computed columns of the tables of a result. */
export const formulasInHost: ContributeToResults = ({ choices, log }) => {
  // Before any session: each then reads formulas that have followed.
  const following = followRenames(choices, error => log.error('Renaming columns in formulas', error));
  return {
    sessionParts: session => addFormulas(session, new FormulaStore(choices, session.source)),
    dispose: () => following.dispose(),
  };
};
