import type { ContributeToResults } from '../../session/editor/contribution';
import { plateCommands } from './plateCommands';

/** Plates are in the page of a table; the host only has what programs do with them. */
export const platesInHost: ContributeToResults = ({ sessions, results }) => ({
  commands: plateCommands({ sessions, results }),
});
