import type { TableSummary } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { TableStart } from '../tablePage';
import type { SessionTables } from '../../session/node/sessionTables';

/** Rows that are sent when a page starts, unless the table has more columns than this. */
const FIRST_ROWS = 200;
const MAX_SENT_COLUMNS = 400;

interface RowsAheadDependencies {
  tables: Pick<SessionTables, 'open' | 'request'>;
  kind: TableKind;
  /** Aborts when the panel is closed. */
  signal: AbortSignal;
}

/** The first rows of a table for its page; reads those of its first request in advance. */
export class RowsAhead {
  private ahead: Promise<{ table: TableSummary; rows: TableStart['first'] } | undefined> | undefined;

  constructor(private readonly parts: RowsAheadDependencies) {
    this.ahead = this.readAhead();
  }

  /**
   * The page's first rows for the current table. Undefined on failure: the page requests them and
   * shows the error.
   */
  async of(table: TableSummary): Promise<TableStart['first']> {
    const { ahead } = this;
    this.ahead = undefined;
    const known = await ahead;
    // A table that was opened anew, also after a crash, has columns of its own: its file and its
    // format may be others.
    const isSame = known?.table.columns === table.columns;
    const rows = isSame ? known.rows : undefined;
    return rows && rows.rows.length >= Math.min(table.rowCount, FIRST_ROWS) ? rows : this.read(table);
  }

  private async readAhead() {
    const { tables, kind, signal } = this.parts;
    try {
      const table = await tables.open(kind, signal);
      return { table, rows: await this.read(table) };
    } catch {
      return undefined;
    }
  }

  private async read({ columns, rowCount }: TableSummary): Promise<TableStart['first']> {
    if (rowCount === 0 || columns.length > MAX_SENT_COLUMNS) return undefined;
    const { tables, kind, signal } = this.parts;
    try {
      const params = { sort: [], start: 0, end: Math.min(rowCount, FIRST_ROWS) };
      return await tables.request(kind, 'tableRows', params, signal);
    } catch {
      return undefined;
    }
  }
}
