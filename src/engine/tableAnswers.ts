import { CodedError } from '../base/errors';
import type { RequestHandlers } from '../protocol/rpc';
import type { TableRequests, TableSummary } from '../protocol/tableEngine';
import { openTable } from '../results/table/readTable';
import { TableView } from '../results/table/tableView';
import type { ProgressOf } from './progress';

/** Rows answered at once, so that a message stays small. */
const MOST_ROWS = 10_000;

/** The tables of one result, and the answers about them. */
export class TableAnswers {
  private readonly tables = new Map<string, TableView>();

  /** `onOpened` hears of each table that is opened, or opened anew. */
  constructor(
    private readonly progress: ProgressOf,
    private readonly onOpened: (table: string) => void,
  ) {}

  readonly handlers: RequestHandlers<TableRequests> = {
    openTable: async ({ table, path }, signal) => {
      const opened = await openTable(path, signal, this.progress('table', table));
      this.tables.set(table, new TableView(opened));
      this.onOpened(table);
      const { columns, rowCount, delimiter, raggedRows } = opened;
      return { columns: [...columns], rowCount, delimiter, raggedRows } satisfies TableSummary;
    },
    tableRows: async ({ table, start, end, sort }, signal) => {
      if (!(end - start <= MOST_ROWS))
        throw new CodedError('bad-request', `At most ${MOST_ROWS} rows at once`);
      return this.view(table).rows(start, end, sort, signal);
    },
    tablePosition: async ({ table, row, sort }, signal) => ({
      position: await this.view(table).position(row, sort, signal),
    }),
  };

  /** The table of that name. Throws `bad-request` when it is not open. */
  view(name: string): TableView {
    const table = this.tables.get(name);
    if (!table) throw new CodedError('bad-request', `The table "${name}" is not open`);
    return table;
  }

  dispose(): void {
    this.tables.clear();
  }
}
