import type { ContributeToResults } from '../../session/editor/contribution';
import { populationParts } from '../node/sessionPopulations';
import { populationCommands } from './populationCommands';

/** Populations of the tables of results, and what programs do with them. */
export const populationsInHost: ContributeToResults = ({ choices, sessions, results }) => ({
  commands: populationCommands({ sessions, results }),
  sessionParts: populationParts(choices),
});
