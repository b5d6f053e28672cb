import { resultPopulations } from '../../linking/node/tablePopulations';
import type { ContributeToResults } from '../../session/editor/contribution';
import { choiceOwnerOf } from '../../session/node/resultSource';
import { populationParts, storedPopulations } from '../node/sessionPopulations';
import { populationCommands } from './populationCommands';

/** Populations of the tables of results, and their functions for programs. */
export const populationsInHost: ContributeToResults = ({ choices, sessions, results, parts }) => {
  parts.add(resultPopulations, {
    areIn: async source => {
      const owner = choiceOwnerOf(source);
      const stored = await choices.value(storedPopulations, owner);
      for (const kind of ['objects', 'file'] as const)
        if ((stored?.[kind]?.length ?? 0) > 0 || (await choices.oldFilterSets(owner, kind)).length > 0)
          return true;
      return false;
    },
  });
  return {
    commands: populationCommands({ sessions, results }),
    sessionParts: populationParts(choices),
  };
};
