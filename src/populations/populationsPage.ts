import type { Population } from './population';
import { populationColorRequests, populationPageRequests } from './populationRequests';

/** What the page of a table may request about populations. */
export const populationsPage = { passedOn: populationColorRequests, requests: populationPageRequests };

declare module '../table/tablePage' {
  interface AddedToPanel {
    populations: typeof populationsPage;
  }

  interface AddedPanelEvents {
    /** The populations were changed elsewhere: in another view of the table, or by a program. */
    populations: readonly Population[];
  }

  interface TableStart {
    /** The populations of the table, as they are stored. */
    populations?: readonly Population[];
  }
}
