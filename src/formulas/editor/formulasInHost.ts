import type { ContributeToResults } from '../../session/editor/contribution';
import { formulaStore } from '../node/formulaStore';
import { addFormulas } from '../node/sessionFormulas';

/** Computed columns of the tables of a result. */
export const formulasInHost: ContributeToResults = ({ choices }) => ({
  sessionParts: session => addFormulas(session, formulaStore(choices, session.source)),
});
