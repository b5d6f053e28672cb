import { imageValues } from '../../linking/node/imageValues';
import { type ResultPopulations, resultPopulations } from '../../linking/node/tablePopulations';
import { storedLinks } from '../../linking/node/storedLinks';
import { linkedImages } from '../../linking/node/linkedImages';
import { sessionLinks } from '../../linking/node/sessionLinks';
import { sessionRows } from '../../linking/node/sessionRows';
import { masksActions } from '../../masks/editor/masksInHost';
import { shownClasses } from '../../masks/node/shownClasses';
import { unloadedFilters } from '../../table/editor/tableInHost';
import type { ContributeToResults } from '../../session/editor/contribution';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSession } from '../../session/node/resultSession';
import { type ExportedPopulations, MasksExporter, type ShownResult } from '../node/masksExporter';
import { populationMembers } from '../node/populationMembers';
import { exportCommands } from './exportCommands';

/** Adds the export of masks to open results. */
export const exportInHost: ContributeToResults = host => {
  const { sessions, settings, startEngine, choices, results, parts, log } = host;
  const exporter = new MasksExporter({
    startEngine,
    sessionOf: source => {
      const session = results.sessionOf(source);
      return session && shownResult(session);
    },
    holdFiltered: source => parts.get(unloadedFilters).follow(source),
    linksOf: source => storedLinks(choices, source),
    imageValues: parts.find(imageValues),
    populations: exportedPopulations(results, parts.find(resultPopulations)),
    tableMemory: () => settings.tableMemory,
    log,
  });
  parts.get(masksActions).exportMasks = async (source, selected) => {
    const { exportAsPerson } = await import('./exportSteps');
    await exportAsPerson(exporter, source, selected);
  };
  return { commands: exportCommands({ sessions, results, exporter }) };
};

function exportedPopulations(
  results: Pick<OpenResults, 'use'>,
  populations: ResultPopulations | undefined,
): ExportedPopulations | undefined {
  return populations && { ...populations, members: (...args) => populationMembers(results, ...args) };
}

function shownResult(session: ResultSession): ShownResult {
  const classes = session.get(shownClasses);
  return {
    masks: session.masks,
    links: session.get(sessionLinks),
    rows: session.get(sessionRows),
    get hiddenClasses() {
      return classes.hidden;
    },
    get classColors() {
      return classes.colors;
    },
    get imagePaths() {
      return session.get(linkedImages).paths;
    },
  };
}
