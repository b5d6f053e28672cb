import { CodedError, isCoded } from '../../base/errors';
import { untilCanceled } from '../../base/waiting';
import type { RequestHandlers } from '../../protocol/rpc';
import { finiteOrNull, jsonNumber, jsonStatistics } from '../columnStatistics';
import type { TableSummary } from '../tableSummary';
import type { PointBuffers, TableRequests } from '../tableRequests';
import type { ViewSpec } from '../viewSpec';
import { findMatches, findText } from './findText';
import { groupsOfView, saveGroupsOfView } from './groupHandlers';
import { OpenTables, type TableHost } from './openTables';
import type { DeriveColumns, ExtendedTable } from './read/addedColumns';
import { type CellTexts, numbersAt, type TableSource, type TableToSave } from './read/tableSource';
import { saveView } from './saveTable';
import { indexInSorted } from './sortedNumbers';
import {
  columnStatisticsOf,
  constantColumns,
  countInfinite,
  countMissing,
  countNotPositive,
  selectionStatistics,
} from './statistics/columnStatisticsOf';
import { distinctTexts, textsInOrder } from './statistics/distinctTexts';
import { groupColumns, groupRows } from './statistics/groups';
import { histogram, histogramAmong } from './statistics/histogram';
import { findLevels } from './statistics/levels';
import { type PointSet, rowsInLasso, scatterPoints } from './statistics/scatterPoints';
import type { TypedFormat } from './typedFormat';
import type { PopulationSets, TableView, ViewRows } from './tableView';
import { typedColumns } from './writtenView';

/** Maximum number of rows in one response, so that a message stays small. */
const MAX_ROWS = 10_000;
/** Maximum number of characters in one response; at two bytes each they stay below 4 MB. */
const MAX_CHARACTERS = 1_500_000;
const ROWS_PER_STEP = 256;
/**
 * Maximum number of characters of a cell in a window of rows; tableCell reads the rest in parts.
 */
const MAX_CELL_CHARACTERS = 2000;
const MAX_CELL_PART = 1_000_000;
/** UTF-8 needs up to four bytes for a character. */
const MAX_CELL_BYTES = 4 * MAX_CELL_CHARACTERS;
const MAX_SET_ROWS = 1_000_000;
const MAX_POINTS = 100_000;
const MAX_BINS = 4096;
const MAX_GRID = 512;
const DEFAULT_GROUPS = 1000;
const MAX_MATCHES = 1_000_000;

/** The tables of one result, and the handlers of the requests about them. */
export class TableHandlers {
  private readonly tables: OpenTables;

  constructor(host: TableHost) {
    this.tables = new OpenTables(host);
  }

  readonly handlers: RequestHandlers<TableRequests> = {
    openTable: ({ table, path, options }, signal) => this.tables.open(table, path, options, signal),
    openTables: ({ table, files, jobColumn, options }, signal) =>
      this.tables.openJoined(table, { files, labelColumn: jobColumn }, options, signal),
    tableTexts: async ({ table, column }, signal) => ({
      texts: await textsInOrder(this.viewWith(table, [column]).table, column, signal),
    }),
    extendTable: ({ table, ...added }) => this.tables.extend(table, added),
    closeTable: ({ table }) => {
      this.tables.close(table);
      return {};
    },
    tableSummary: ({ table }) => this.tables.summary(table),
    tableView: async (params, signal) => ({ rowCount: (await this.rowsOf(params, signal)).subset.count }),
    tableRows: (params, signal) => this.readWindow(params, signal),
    tablePosition: async ({ table, row, ...view }, signal) => ({
      position: await this.view(table).position(row, view, signal),
    }),
    tableCell: ({ table, row, column, start = 0 }) => {
      const view = this.viewWith(table, [column]);
      if (!(row >= 0 && row < view.table.rowCount))
        throw new CodedError('bad-request', `Row ${row} does not exist`);
      const text = view.table.cells([row], [column], Infinity).rows[0]?.[0] ?? '';
      return { text: text.slice(start, start + MAX_CELL_PART), length: text.length };
    },
    tableFind: async (
      { table, text, caseSensitive, wholeCell, columns, from, backwards, ...spec },
      signal,
    ) => {
      const view = this.viewWith(table, columns ?? []);
      const rows = await view.rows(spec, signal);
      const matching = await view.table.candidateRows(text, caseSensitive === true, signal);
      const search = {
        text,
        ...(caseSensitive !== undefined && { caseSensitive }),
        ...(wholeCell !== undefined && { wholeCell }),
        ...(columns && { columns }),
        ...(from && { from }),
        ...(backwards !== undefined && { backwards }),
      };
      return { found: await findText(view.table, rows, search, matching, signal) };
    },
    tableFindMatches: async (
      { table, text, caseSensitive, wholeCell, columns, at: currentCell, limit = MAX_MATCHES, ...spec },
      signal,
    ) => {
      const view = this.viewWith(table, columns);
      const rows = await view.rows(spec, signal);
      const search = {
        text,
        columns,
        limit: within(limit, MAX_MATCHES),
        ...(caseSensitive !== undefined && { caseSensitive }),
        ...(wholeCell !== undefined && { wholeCell }),
      };
      const { cells, isCut } = await view.table.cache.get(
        {
          key: JSON.stringify(['matches', view.table.rowCount, view.filtersKey(spec.filters), spec, search]),
          make: async shared => {
            const candidates = await view.table.candidateRows(text, caseSensitive === true, shared);
            return findMatches(view.table, rows, search, candidates, shared);
          },
          bytesOf: matches => matches.cells.byteLength,
        },
        signal,
      );
      const columnIndex = currentCell ? columns.indexOf(currentCell.column) : -1;
      const matchIndex =
        currentCell && columnIndex >= 0
          ? indexInSorted(cells, currentCell.position * columns.length + columnIndex)
          : -1;
      return { matches: cells.length, isCut, index: matchIndex < 0 ? null : matchIndex };
    },
    tableConstants: async ({ table }, signal) => {
      const { reading, reduced, format } = this.tables.summary(table);
      // Not for columns on demand, which would have to be read, nor for growing tables, whose
      // columns may still change.
      if (reading || reduced) return { constants: [] };
      const constants = await constantColumns(this.view(table).table, format !== undefined, signal);
      return { constants };
    },
    tableStatistics: async ({ table, columns, filters }, signal) => {
      const view = this.viewWith(table, columns);
      const subset = await view.filteredRows(filters, signal);
      const statistics = [];
      for (const column of columns)
        statistics.push(jsonStatistics(await columnStatisticsOf(view.table, column, subset, signal)));
      return { statistics };
    },
    tableHistogram: async ({ table, column, scale, bins, range, among, filters }, signal) => {
      const view = this.viewWith(table, [column]);
      const subset = await view.filteredRows(filters, signal);
      const params = { column, scale, ...(bins !== undefined && { bins: within(bins, MAX_BINS) }) };
      const counts = among
        ? await histogramAmong(
            view.table,
            { ...params, range, among: await view.filteredRows(among, signal) },
            subset,
            signal,
          )
        : await histogram(view.table, { ...params, range }, subset, signal);
      const missing = await countMissing(view.table, column, subset, signal);
      const infinite = await countInfinite(view.table, column, subset, signal);
      const notPositive = scale === 'log' ? await countNotPositive(view.table, column, subset, signal) : 0;
      const { min, max, integers, all, filtered, ends } = counts;
      return {
        min,
        max,
        ...(integers !== undefined && { integers }),
        all: all.buffer,
        filtered: filtered.buffer,
        ...(ends && { ends: ends.buffer }),
        missing,
        ...(infinite > 0 && { infinite }),
        ...(notPositive > 0 && { notPositive }),
        rows: subset.count,
      };
    },
    tableDistinct: async ({ table, column, limit, search, filters }, signal) => {
      const view = this.viewWith(table, [column]);
      const subset = await view.filteredRows(filters, signal);
      return distinctTexts(view.table, { column, limit: within(limit, MAX_ROWS), search }, subset, signal);
    },
    tableGroup: async ({ table, by, measures, limit, filters }, signal) => {
      const view = this.viewWith(table, [...by, ...measures]);
      const subset = await view.filteredRows(filters, signal);
      const grouping = { by, measures, limit: within(limit ?? DEFAULT_GROUPS, MAX_ROWS) };
      const { groups, total } = await groupRows(view.table, grouping, subset, signal);
      return {
        groups: groups.map(group => ({ ...group, measures: group.measures.map(jsonStatistics) })),
        total,
      };
    },
    tableGroups: ({ table, ...params }, signal) => groupsOfView(this.view(table), params, signal),
    tableGroupColumns: async ({ table }, signal) => {
      // Proposes only text columns if columns are on demand: it would have to read all numbers.
      const isInMemory = !this.tables.summary(table).reduced;
      return { columns: await groupColumns(this.view(table).table, isInMemory, signal) };
    },
    tableGroupsSave: async ({ table, ...params }, signal) => {
      await untilCanceled(this.settled(table), signal);
      const { decimalComma } = this.tables.summary(table);
      const format = this.formatNamed(params.destination);
      return saveGroupsOfView(this.view(table), { ...params, format }, decimalComma === true, signal);
    },
    tableLevels: async ({ table }, signal) => ({ levels: await findLevels(this.view(table).table, signal) }),
    tablePoints: async ({ table, x, y, scales, color, limit, bins, window, among, filters }, signal) => {
      const view = this.viewWith(table, [x, y, ...(color === undefined ? [] : [color])]);
      const rows = {
        subset: await view.filteredRows(filters, signal),
        ...(among && { allRows: await view.filteredRows(among, signal) }),
      };
      const plot = {
        x,
        y,
        scales,
        limit: within(limit, MAX_POINTS),
        ...(color !== undefined && { color }),
        ...(bins !== undefined && { bins: within(bins, MAX_GRID) }),
        ...(window && { window }),
      };
      const points = await scatterPoints(view.table, plot, rows, signal);
      const {
        color: colors,
        filteredOut,
        colorValues,
        colorRange,
        xRange,
        yRange,
        fit,
        infinite,
        notPositive,
      } = points;
      return {
        ...buffersOf(points),
        xRange,
        yRange,
        fit,
        ...(infinite > 0 && { infinite }),
        ...(notPositive > 0 && { notPositive }),
        ...(colors && { color: colors.buffer }),
        ...(colorValues && { colorValues }),
        ...(colorRange && { colorRange }),
        ...(filteredOut && { filteredOut: buffersOf(filteredOut) }),
      };
    },
    tableNumbers: async ({ table, row, columns }, signal) => {
      const view = this.viewWith(table, columns);
      const numbers: (number | null)[] = [];
      for (const column of columns) {
        const isNumeric = view.table.columns[column]?.kind === 'number';
        const [value] = isNumeric ? await numbersAt(view.table, column, Int32Array.of(row), signal) : [];
        numbers.push(finiteOrNull(value));
      }
      return { numbers };
    },
    tableLasso: async ({ table, x, y, polygon, scales, filters }, signal) => {
      const view = this.viewWith(table, [x, y]);
      return view.addComputedSet(async setSignal => {
        const subset = await view.filteredRows(filters, setSignal);
        return rowsInLasso(view.table, { x, y, polygon, scales }, subset, setSignal);
      }, signal);
    },
    tableRowSet: ({ table, rows, add }) => {
      if (rows.byteLength > 4 * MAX_SET_ROWS)
        throw new CodedError('bad-request', `At most ${MAX_SET_ROWS} rows at once`);
      return this.view(table).addSet(new Uint32Array(rows), add);
    },
    tableSelection: async ({ start, end, columns, ...spec }, signal) => {
      const view = this.viewWith(spec.table, columns);
      const rows = await view.rows(spec, signal);
      const selected = await selectionStatistics(view.table, rows, { start, end, columns }, signal);
      return {
        columns: selected.map(statistics => ({
          ...statistics,
          min: jsonNumber(statistics.min),
          max: jsonNumber(statistics.max),
        })),
      };
    },
    tableTypes: async ({ table, columns, populations }, signal) => {
      await untilCanceled(this.settled(table), signal);
      const { saved, populationColumns } = await tableToSave(
        this.viewWith(table, columns),
        populations,
        signal,
      );
      return { columns: await typedColumns(saved, [...columns, ...populationColumns], signal) };
    },
    writtenTypes: async ({ path }, signal) => ({ columns: await this.tables.typesIn(path, signal) }),
    tableSave: async (
      {
        table,
        sort,
        filters,
        destination,
        columns,
        populations,
        written,
        metadata,
        as,
        overwrite,
        markHeader,
      },
      signal,
    ) => {
      // Otherwise the file would have only the rows read so far, and look complete. Ignores upTo
      // for the same reason.
      await untilCanceled(this.settled(table), signal);
      const view = this.view(table);
      const { saved, populationColumns } = await tableToSave(view, populations, signal);
      for (const column of columns ?? [])
        if (column >= 0 && !populationColumns.includes(column)) view.columnAt(column);
      const rows = await view.rows({ sort, ...(filters && { filters }) }, signal);
      const requestedColumns = columns ?? view.table.columns.map(({ index }) => index);
      const format = this.formatNamed(as ?? destination);
      const savedColumns = written ? requestedColumns : [...requestedColumns, ...populationColumns];
      const options = { destination, overwrite: overwrite === true, markHeader, written, metadata, format };
      return saveView(saved, rows, { columns: savedColumns, ...options }, signal);
    },
  };

  /** The table of that name. Throws `bad-request` when it isn't open. */
  view(name: string): TableView {
    return this.tables.view(name);
  }

  /** Sets the function that gives the populations of a table by its name. */
  setPopulations(populationsOf: (name: string) => PopulationSets): void {
    this.tables.populationsOf = populationsOf;
  }

  /** The table of that name with its columns that are in no file. Throws as `view` does. */
  extended(name: string): ExtendedTable {
    return this.tables.extended(name);
  }

  summary(name: string): TableSummary {
    return this.tables.summary(name);
  }

  /** Replaces the columns that are derived from the other columns of a table. */
  derive(name: string, columns: DeriveColumns): TableSummary {
    return this.tables.derive(name, columns);
  }

  /** Resolves once all of the table has been read. Throws `bad-request` when it isn't open. */
  settled(name: string): Promise<void> {
    return this.tables.settled(name);
  }

  /** The format that a file of this name is written in; undefined for delimited text. */
  formatNamed(path: string): TypedFormat | undefined {
    return this.tables.formatNamed(path);
  }

  /** Whether numbers of a table are written with a decimal comma. */
  decimalComma(name: string): boolean {
    return this.tables.summary(name).decimalComma === true;
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

  private async readWindow(
    { table, start, end, columns, ...spec }: TableRequests['tableRows']['params'],
    signal: AbortSignal,
  ): Promise<TableRequests['tableRows']['result']> {
    if (!(end - start <= MAX_ROWS)) throw new CodedError('bad-request', `At most ${MAX_ROWS} rows at once`);
    const view = this.viewWith(table, columns ?? []);
    const { order, subset } = await view.rows(spec, signal);
    const firstRow = Math.max(0, Math.min(start, subset.count));
    const endRow = Math.max(firstRow, Math.min(end, subset.count));
    const fileRows = Array.from(
      { length: endRow - firstRow },
      (_, index) => order?.[firstRow + index] ?? firstRow + index,
    );
    const requestedColumns = columns ?? view.table.columns.map(({ index }) => index);
    const rows: string[][] = [];
    const cut: [number, number][] = [];
    const ragged: number[] = [];
    let characters = 0;
    while (rows.length < fileRows.length && characters < MAX_CHARACTERS) {
      const partStart = rows.length;
      const partLength = Math.max(
        1,
        Math.min(ROWS_PER_STEP, Math.floor(20_000 / (requestedColumns.length + 1))),
      );
      const part = shownCells(
        view.table,
        fileRows.slice(partStart, partStart + partLength),
        requestedColumns,
      );
      for (const [row, cell] of part.cut) cut.push([partStart + row, cell]);
      for (const row of part.ragged) ragged.push(partStart + row);
      part.rows.forEach((cells, row) => {
        cells.forEach((text, cell) => {
          // Counts empty cells too.
          characters += 1 + Math.min(text.length, MAX_CELL_CHARACTERS);
          if (text.length <= MAX_CELL_CHARACTERS) return;
          cells[cell] = text.slice(0, MAX_CELL_CHARACTERS);
          if (!part.cut.some(([cutRow, cutCell]) => cutRow === row && cutCell === cell))
            cut.push([partStart + row, cell]);
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

/** The table to save, with the columns of its populations if they are requested. */
async function tableToSave(
  view: TableView,
  populations: boolean | undefined,
  signal: AbortSignal,
): Promise<{ saved: TableToSave; populationColumns: number[] }> {
  if (populations !== true) return { saved: view.table, populationColumns: [] };
  const saved = await view.withPopulations(signal);
  const populationColumns = saved.columns.slice(view.table.columns.length).map(({ index }) => index);
  return { saved, populationColumns };
}

/** The text in cells of a damaged column. */
const DAMAGED_TEXT = '\u26a0';

/** Cells to show. Those of a damaged column are cut: requesting all of their text says why. */
function shownCells(table: TableSource, rows: readonly number[], columns: readonly number[]): CellTexts {
  try {
    return table.cells(rows, columns, MAX_CELL_BYTES);
  } catch (error) {
    if (!isCoded(error, 'damaged-table') || columns.length < 2) throw error;
    const shown: CellTexts = { rows: rows.map(() => columns.map(() => DAMAGED_TEXT)), cut: [], ragged: [] };
    let isAnyReadable = false;
    for (const [cell, column] of columns.entries()) {
      try {
        const cells = table.cells(rows, [column], MAX_CELL_BYTES);
        for (const [row, texts] of shown.rows.entries()) texts[cell] = cells.rows[row]?.[0] ?? '';
        for (const [row] of cells.cut) shown.cut.push([row, cell]);
        shown.ragged = cells.ragged;
        isAnyReadable = true;
      } catch (damage) {
        if (!isCoded(damage, 'damaged-table')) throw damage;
        for (const row of rows.keys()) shown.cut.push([row, cell]);
      }
    }
    if (!isAnyReadable) throw error;
    return shown;
  }
}

function buffersOf({ total, shown, sampled, x, y, rows, counts }: PointSet): PointBuffers {
  return {
    total,
    shown,
    sampled,
    x: x.buffer,
    y: y.buffer,
    rows: rows.buffer,
    ...(counts && { counts: counts.buffer }),
  };
}

/** A whole number from 1 to `max`. Throws `bad-request` for less than 1 and for NaN. */
function within(requested: number, max: number): number {
  if (!(requested >= 1)) throw new CodedError('bad-request', 'The number has to be 1 or more');
  return Math.min(max, Math.floor(requested));
}
