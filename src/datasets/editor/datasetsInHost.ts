import { resultPopulations } from '../../linking/node/tablePopulations';
import type { ContributeToResults } from '../../session/editor/contribution';
import { datasetCommands } from './datasetCommands';

/** Tables of many results as one dataset. */
export const datasetsInHost: ContributeToResults = ({ sessions, results, parts }) => ({
  commands: datasetCommands({ sessions, results, populations: parts.find(resultPopulations) }),
});
