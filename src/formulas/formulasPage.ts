import { formulaPageRequests, formulaPanelRequests } from './formulaRequests';

/** Requests of a table's page about formulas. */
export const formulasPage = {
  passedOn: formulaPageRequests,
  requests: formulaPanelRequests,
};

declare module '../table/tablePage' {
  interface AddedToPanel {
    formulas: typeof formulasPage;
  }
}
