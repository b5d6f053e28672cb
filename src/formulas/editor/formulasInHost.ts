import type { ContributeToResults } from '../../session/editor/contribution';
import type { TablePanelPart } from '../../table/editor/tablePanelPart';
import { formulasPage } from '../formulaRequests';
import { addFormulas, sessionFormulas } from '../node/sessionFormulas';

/** Adds computed columns to the tables of results. */
export const formulasInHost: ContributeToResults = ({ choices }) => ({
  sessionParts: session => addFormulas(session, choices),
});

/** Handles requests about formulas in a panel of a table. */
export const formulasInPanel: TablePanelPart<typeof formulasPage> = {
  declaration: formulasPage,
  open: ({ session, kind }) => {
    const formulas = session.get(sessionFormulas);
    return {
      handlers: {
        setFormulas: async ({ before, computed }, signal) => {
          await formulas.change(kind, before, computed, signal);
          return {};
        },
        lastFormulas: async () => ({ computed: [...(await formulas.last(kind))] }),
      },
    };
  },
};
