import { formulaPageRequests, formulaPanelRequests } from './formulaRequests';

/** What the page of a table may request about formulas. */
export const formulasPage = {
  passedOn: formulaPageRequests,
  requests: formulaPanelRequests,
};

declare module '../table/tablePage' {
  interface AddedToPanel {
    formulas: typeof formulasPage;
  }
}
