import type { TablePanelPart } from '../../table/editor/tablePanelPart';
import { formulasPage } from '../formulasPage';
import { sessionFormulas } from '../node/sessionFormulas';

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
