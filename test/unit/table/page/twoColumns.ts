import type { TableSummary } from '../../../../src/columns/tableSummary';
import { TableStore } from '../../../../src/table/page/state/tableStore';
import { fittingView, type TableViewState } from '../../../../src/table/page/tableViewState';
import type { TableStart } from '../../../../src/table/tablePage';
import { type AddedToTable, NOTHING_ADDED, tableStart } from './tableStart';

export const table: TableSummary = {
  columns: [
    { index: 0, name: 'Image', kind: 'text' },
    { index: 1, name: 'Area', kind: 'number' },
  ],
  rowCount: 100,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
};

type Responses = Record<string, (params: never, signal?: AbortSignal) => unknown>;

/** The store of a table of two columns, and what was sent, requested and saved. */
export function store(
  start: Partial<TableStart> = {},
  responses: Responses = {},
  saved: Partial<TableViewState> = {},
  { contributions, loadLater }: AddedToTable = NOTHING_ADDED,
) {
  const done: unknown[] = [];
  const ofAdded = contributions.flatMap(each => each.saved ?? []);
  const view = fittingView(saved, table, undefined, ofAdded);
  const port = {
    view: view as Partial<TableViewState>,
    updateView(changes: Partial<TableViewState>) {
      port.view = { ...port.view, ...changes };
      done.push({ saved: changes });
    },
  };
  const panel = {
    send: (event: string, value: unknown) => done.push([event, value]),
    on: () => undefined,
    request: (method: string, params: never, signal?: AbortSignal) => {
      done.push(method);
      const respond = responses[method];
      return respond ? Promise.resolve(respond(params, signal)) : Promise.reject(new Error(method));
    },
  };
  const page = new TableStore({
    start: tableStart(table, start),
    view,
    port,
    panel: panel as never,
    ...{ contributions, loadLater },
  });
  return { page, done, port };
}
export const allDue = () => new Promise<void>(resolve => setImmediate(resolve));
export const range = { filter: { kind: 'range', column: 1, from: 5, to: null } } as const;
