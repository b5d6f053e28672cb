import { completeStep } from '../../host/editor/walkthroughSteps';
import type { TablePanelPart } from '../../table/editor/tablePanelPart';
import { sessionPopulations } from '../node/sessionPopulations';
import { applyPopulationFile, savePopulationFile, savePopulationTableFile } from './populationFiles';
import { populationsPage } from '../populationsPage';

/** Handles requests about populations in a panel of a table. */
export const populationsInPanel: TablePanelPart<typeof populationsPage> = {
  declaration: populationsPage,
  open: panel => {
    const { session, kind } = panel;
    const stored = session.get(sessionPopulations);
    const listening = stored.onDidChange(changed => {
      if (changed.kind === kind && changed.by !== panel) panel.send('populations', changed.populations);
    });
    return {
      handlers: {
        countPopulations: async ({ before = [], populations, isDrawn, mean }, signal) => {
          // Storing continues when the page requests newer counts.
          if (populations && isDrawn !== true) {
            await stored.change(kind, before, populations, session.signal, panel);
            if (populations.length > before.length) completeStep('imageAnalysis.populationMade');
          }
          const drawn = isDrawn === true ? { populations } : {};
          try {
            return await session.tables.request(kind, 'countPopulations', { ...drawn, mean }, signal);
          } finally {
            if (isDrawn === true) stored.noteDraft(kind);
          }
        },
        savePopulationTable: params => savePopulationTableFile(panel, params),
        savePopulationFile: ({ populations }) => savePopulationFile(panel, populations),
        applyPopulationFile: ({ populations }) => applyPopulationFile(panel, populations),
      },
      start: () => {
        void stored.sendToEngine(kind);
        const populations = stored.latestOf(kind);
        return populations ? { populations } : {};
      },
      dispose: () => {
        listening.dispose();
        void stored.sendToEngine(kind);
      },
    };
  },
};
