import type { ContributeToResults } from '../../session/editor/contribution';
import { datasetCommands } from './datasetCommands';

/** Tables of many results as one dataset. */
export const datasetsInHost: ContributeToResults = ({ sessions, results }) => ({
  commands: datasetCommands({ sessions, results }),
});
