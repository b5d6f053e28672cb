import { platePageRequests, plateRequests } from './plateRequests';

/** Requests of a table's page about plates. */
export const platesPage = { passedOn: {}, requests: { ...plateRequests, ...platePageRequests } };

declare module '../table/tablePage' {
  interface AddedToPanel {
    plates: typeof platesPage;
  }
}
