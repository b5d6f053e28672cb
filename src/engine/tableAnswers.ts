import { CodedError } from '../base/errors';
import { untilCancelled } from '../base/untilCancelled';
import type { RequestHandlers } from '../protocol/rpc';
import type { TableRequests, ViewSpec } from '../protocol/tableEngine';
import { findText } from '../results/table/findText';
import { groupRows } from '../results/table/groups';
import { histogram } from '../results/table/histogram';
import { histogramAmong } from '../results/table/histogramAmong';
import { findLevels } from '../results/table/levels';
import { rowsInPolygon, scatterPoints } from '../results/table/points';
import { saveView } from '../results/table/saveView';
import { columnFigures } from '../results/table/statistics';
import { distinctTexts } from '../results/table/distinctTexts';
import { selectionFigures } from '../results/table/selection';
import type { TableView, ViewRows } from '../results/table/tableView';
import { topRows } from '../results/table/topRows';
import { OpenTables, type TableHost } from './openTables';

/** Rows answered at once, so that a message stays small. */
const MOST_ROWS = 10_000;
/** Characters answered at once; two bytes each stay below 4 MB. */
const MOST_CHARACTERS = 1_500_000;
const ROWS_PER_STEP = 256;
/** Characters of a cell in a window; bytes read for them at four a character. */
const LONGEST_CELL = 2000;
const CELL_PART = 1_000_000;
const MOST_SET_ROWS = 1_000_000;
const MOST_POINTS = 100_000;
const MOST_BINS = 4096;
const MOST_GRID = 512;
const GROUPS = 1000;

/** The tables of one result, and the answers about them. */
export class TableAnswers {
  private readonly tables: OpenTables;

  constructor(host: TableHost) {
    this.tables = new OpenTables(host);
  }

  readonly handlers: RequestHandlers<TableRequests> = {
    openTable: ({ table, path, options }, signal) => this.tables.open(table, path, options ?? {}, signal),
    openTables: ({ table, files, jobColumn, options }, signal) =>
      this.tables.openAll(table, files, jobColumn, options ?? {}, signal),
    closeTable: ({ table }) => {
      this.tables.close(table);
      return {};
    },
    tableSummary: ({ table }) => this.tables.summary(table),
    tableView: async (params, signal) => ({ rowCount: (await this.rowsOf(params, signal)).choice.count }),
    tableRows: (params, signal) => this.window(params, signal),
    tablePosition: async ({ table, row, ...view }, signal) => ({
      position: await this.view(table).position(row, view, signal),
    }),
    tableCell: ({ table, row, column, start = 0 }) => {
      const view = this.viewWith(table, [column]);
      if (!(row >= 0 && row < view.table.rowCount))
        throw new CodedError('bad-request', `There is no row ${row}`);
      const text = view.table.cells([row], [column], Infinity).rows[0]?.[0] ?? '';
      return { text: text.slice(start, start + CELL_PART), length: text.length };
    },
    tableFind: async ({ table, text, caseSensitive, columns, from, backwards, ...spec }, signal) => {
      const view = this.viewWith(table, columns ?? []);
      const rows = await view.rows(spec, signal);
      const holding = await view.table.rowsHolding(text, caseSensitive === true, signal);
      const asked = {
        text,
        ...(caseSensitive !== undefined && { caseSensitive }),
        ...(columns && { columns }),
        ...(from && { from }),
        ...(backwards !== undefined && { backwards }),
      };
      return { found: await findText(view.table, rows, asked, holding, signal) };
    },
    tableStatistics: async ({ table, columns, filters }, signal) => {
      const view = this.viewWith(table, columns);
      const choice = await view.chosen(filters, signal);
      const statistics = [];
      for (const column of columns) statistics.push(await columnFigures(view.table, column, choice, signal));
      return { statistics };
    },
    tableHistogram: async ({ table, column, bins, range, among, filters }, signal) => {
      const view = this.viewWith(table, [column]);
      const choice = await view.chosen(filters, signal);
      const most = within(bins, MOST_BINS);
      const counts = among
        ? await histogramAmong(view.table, column, most, await view.chosen(among, signal), choice, signal)
        : await histogram(view.table, column, most, range, choice, signal);
      return { ...counts, all: counts.all.buffer, filtered: counts.filtered.buffer };
    },
    tableDistinct: async ({ table, column, limit, search, filters }, signal) => {
      const view = this.viewWith(table, [column]);
      const choice = await view.chosen(filters, signal);
      return distinctTexts(view.table, column, within(limit, MOST_ROWS), search, choice, signal);
    },
    tableGroup: async ({ table, by, measures, limit, filters }, signal) => {
      const view = this.viewWith(table, [...by, ...measures]);
      const choice = await view.chosen(filters, signal);
      return groupRows(view.table, by, measures, choice, within(limit ?? GROUPS, MOST_ROWS), signal);
    },
    tableLevels: async ({ table }, signal) => ({ levels: await findLevels(this.view(table).table, signal) }),
    tableTop: async ({ table, filters, key, count }, signal) => {
      const view = this.viewWith(table, [key.column]);
      const choice = await view.chosen(filters, signal);
      return { fileRows: await topRows(view.table, key, choice, within(count, MOST_POINTS), signal) };
    },
    tablePoints: async ({ table, x, y, colour, most, bins, filters }, signal) => {
      const view = this.viewWith(table, [x, y, ...(colour === undefined ? [] : [colour])]);
      const choice = await view.chosen(filters, signal);
      const asked = {
        x,
        y,
        most: within(most, MOST_POINTS),
        ...(colour !== undefined && { colour }),
        ...(bins !== undefined && { bins: within(bins, MOST_GRID) }),
      };
      const points = await scatterPoints(view.table, asked, choice, signal);
      const { colour: colours, counts, ...rest } = points;
      return {
        ...rest,
        x: points.x.buffer,
        y: points.y.buffer,
        rows: points.rows.buffer,
        ...(colours && { colour: colours.buffer }),
        ...(counts && { counts: counts.buffer }),
      };
    },
    tableLasso: async ({ table, x, y, polygon, filters }, signal) => {
      const view = this.viewWith(table, [x, y]);
      return view.keepMade(async until => {
        const choice = await view.chosen(filters, until);
        return rowsInPolygon(view.table, x, y, polygon, choice, until);
      }, signal);
    },
    tableRowSet: ({ table, rows, add }) => {
      if (rows.byteLength > 4 * MOST_SET_ROWS)
        throw new CodedError('bad-request', `At most ${MOST_SET_ROWS} rows at once`);
      return this.view(table).keepSet(new Uint32Array(rows), add);
    },
    tableViewRows: async ({ start, ...spec }, signal) => {
      const { order, choice } = await this.rowsOf(spec, signal);
      const end = Math.min(choice.count, start + MOST_SET_ROWS);
      const rows = Uint32Array.from(
        { length: Math.max(0, end - start) },
        (_, at) => order?.[start + at] ?? start + at,
      );
      return { rows: rows.buffer, total: choice.count };
    },
    tableDropSet: ({ table, set }) => {
      this.view(table).dropSet(set);
      return {};
    },
    tableSelection: async ({ start, end, columns, ...spec }, signal) => {
      const view = this.viewWith(spec.table, columns);
      return selectionFigures(view.table, await view.rows(spec, signal), start, end, columns, signal);
    },
    tableSave: async ({ table, sort, filters, destination, columns, overwrite }, signal) => {
      // A file that holds only what had been read by then would pass for the whole: nor does upTo count here.
      await untilCancelled(this.settled(table), signal);
      const view = this.viewWith(table, columns ?? []);
      const rows = await view.rows({ sort, ...(filters && { filters }) }, signal);
      const wanted = columns ?? view.table.columns.map(({ index }) => index);
      return saveView(view.table, rows, wanted, destination, overwrite === true, signal);
    },
  };

  /** The table of that name. Throws `bad-request` when it is not open. */
  view(name: string): TableView {
    return this.tables.view(name);
  }

  /** Resolves once all of the table has been read. Throws `bad-request` when it is not open. */
  settled(name: string): Promise<void> {
    return this.tables.settled(name);
  }

  dispose(): void {
    this.tables.dispose();
  }

  private rowsOf({ table, ...view }: ViewSpec & { table: string }, signal: AbortSignal): Promise<ViewRows> {
    return this.view(table).rows(view, signal);
  }

  private viewWith(name: string, columns: readonly number[]): TableView {
    const view = this.view(name);
    for (const column of columns) view.columnAt(column);
    return view;
  }

  private async window(
    { table, start, end, columns, ...spec }: TableRequests['tableRows']['params'],
    signal: AbortSignal,
  ): Promise<TableRequests['tableRows']['result']> {
    if (!(end - start <= MOST_ROWS)) throw new CodedError('bad-request', `At most ${MOST_ROWS} rows at once`);
    const view = this.viewWith(table, columns ?? []);
    const { order, choice } = await view.rows(spec, signal);
    const first = Math.max(0, Math.min(start, choice.count));
    const last = Math.max(first, Math.min(end, choice.count));
    const fileRows = Array.from({ length: last - first }, (_, at) => order?.[first + at] ?? first + at);
    const wanted = columns ?? view.table.columns.map(({ index }) => index);
    const rows: string[][] = [];
    const cut: [number, number][] = [];
    const ragged: number[] = [];
    let characters = 0;
    while (rows.length < fileRows.length && characters < MOST_CHARACTERS) {
      const from = rows.length;
      const wide = Math.max(1, Math.min(ROWS_PER_STEP, Math.floor(20_000 / (wanted.length + 1))));
      const found = view.table.cells(fileRows.slice(from, from + wide), wanted, 4 * LONGEST_CELL);
      for (const [row, cell] of found.cut) cut.push([from + row, cell]);
      for (const row of found.ragged) ragged.push(from + row);
      found.rows.forEach((cells, row) => {
        cells.forEach((text, cell) => {
          characters += Math.min(text.length, LONGEST_CELL);
          if (text.length <= LONGEST_CELL) return;
          cells[cell] = text.slice(0, LONGEST_CELL);
          if (!found.cut.some(([r, c]) => r === row && c === cell)) cut.push([from + row, cell]);
        });
        rows.push(cells);
      });
    }
    return {
      rows,
      fileRows: fileRows.slice(0, rows.length),
      ...(cut.length > 0 && { cut }),
      ...(ragged.length > 0 && { ragged }),
    };
  }
}

/** A whole number from 1 to `most`. Throws `bad-request` for what is no number. */
function within(asked: number, most: number): number {
  if (!(asked >= 1)) throw new CodedError('bad-request', 'The number has to be 1 or more');
  return Math.min(most, Math.floor(asked));
}
