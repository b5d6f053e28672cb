import { platePageRequests, plateRequests } from './plateRequests';

/** What the page of a table may request about plates. */
export const platesPage = { passedOn: {}, requests: { ...plateRequests, ...platePageRequests } };

declare module '../table/tablePage' {
  interface AddedToPanel {
    plates: typeof platesPage;
  }
}
