import type { TableSummary } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { TableStart } from '../tablePage';
import type { SessionTables } from '../../session/node/sessionTables';

/** Number of rows sent when a page starts; none if the table has more than MAX_SENT_COLUMNS. */
const FIRST_ROWS = 200;
const MAX_SENT_COLUMNS = 400;

interface RowsAheadDependencies {
  tables: Pick<SessionTables, 'open' | 'request'>;
  kind: TableKind;
  /** Aborts when the panel is closed. */
  signal: AbortSignal;
}

/** The first rows of a table for its page, read in advance for the page's start. */
export class RowsAhead {
  private ahead: Promise<{ table: TableSummary; rows: TableStart['first'] } | undefined> | undefined;

  constructor(private readonly dependencies: RowsAheadDependencies) {
    this.ahead = this.readAhead();
  }

  /**
   * The first rows of the current table. Undefined on failure: the page then requests them and
   * shows the error.
   */
  async of(table: TableSummary): Promise<TableStart['first']> {
    const { ahead } = this;
    this.ahead = undefined;
    const readAhead = await ahead;
    // A table that was opened again, such as after a crash, has a new list of columns; its file and
    // format may have changed.
    const isSame = readAhead?.table.columns === table.columns;
    const rows = isSame ? readAhead.rows : undefined;
    return rows && rows.rows.length >= Math.min(table.rowCount, FIRST_ROWS) ? rows : this.read(table);
  }

  private async readAhead() {
    const { tables, kind, signal } = this.dependencies;
    try {
      const table = await tables.open(kind, signal);
      return { table, rows: await this.read(table) };
    } catch {
      return undefined;
    }
  }

  private async read({ columns, rowCount }: TableSummary): Promise<TableStart['first']> {
    if (rowCount === 0 || columns.length > MAX_SENT_COLUMNS) return undefined;
    const { tables, kind, signal } = this.dependencies;
    try {
      const params = { sort: [], start: 0, end: Math.min(rowCount, FIRST_ROWS) };
      return await tables.request(kind, 'tableRows', params, signal);
    } catch {
      return undefined;
    }
  }
}
