import type { Population } from './population';
import { populationColorRequests, populationPageRequests } from './populationRequests';

/** Requests of a table's page about populations. */
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
    /** The stored populations of the table. */
    populations?: readonly Population[];
  }
}
