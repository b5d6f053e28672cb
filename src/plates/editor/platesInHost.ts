import type { ContributeToResults } from '../../session/editor/contribution';
import { plateCommands } from './plateCommands';

/** Plates are in a table's page; the host only has their functions for programs. */
export const platesInHost: ContributeToResults = ({ sessions, results }) => ({
  commands: plateCommands({ sessions, results }),
});
