import * as v from 'valibot';
import { request, type RequestsOf } from '../protocol/declarations';
import { buffer, finite, index, nothing, polygon, text } from '../protocol/schemas';
import type {
  ColumnStatisticId,
  GroupStatistics,
  JsonColumnStatistics,
  JsonNumber,
  JsonStatistics,
  SelectionStatistics,
  TableGroup,
} from './columnStatistics';
import type { AddedColumns, TableOptions, TableSummary } from './tableSummary';
import { axisScale, axisScales, columns, fewColumns, filters, viewFields } from './viewSchemas';
import type { Filter, PlotWindow, ViewSpec } from './viewSpec';
import type { TypedColumn, WrittenColumn } from './writtenTable';

/*
 * Requests about tables. Numbers in JSON are finite or null, infinite ones see JsonNumber; series
 * travel as ArrayBuffers of the type named. A row is named by its row in the file, from 0, the
 * header not counted; a column by its position in the file, from 0.
 */

/** Of each measured column; there are fewer. */
const MAX_STATISTICS = 256;

/** Groups of a view's rows, with statistics; by default sorted by their first rows. */
export const groupFields = {
  by: fewColumns,
  measures: fewColumns,
  /** The thread refuses unknown ones. */
  statistics: v.pipe(
    v.array(v.custom<ColumnStatisticId>(id => typeof id === 'string')),
    v.maxLength(MAX_STATISTICS),
  ),
  order: v.optional(
    v.object({
      of: v.variant('kind', [
        v.object({ kind: v.literal('key'), key: index }),
        v.object({ kind: v.literal('rows') }),
        v.object({ kind: v.literal('value'), value: index }),
      ]),
      descending: v.boolean(),
    }),
  ),
};

/** The table page's requests about its table; the panel adds its name and passes them on. */
export const tablePageRequests = {
  /** The summary as it is now; cheap. */
  tableSummary: request(nothing).resolvesTo<TableSummary>(),

  /** Number of rows of a view. Filters and sorts are cached for later requests. */
  tableView: request(v.object(viewFields)).resolvesTo<{ rowCount: number }>(),

  /**
   * Rows [start, end) of the view: exact text of each cell and the file's row number of each row.
   * At most 10,000 rows and 4 MB: fewer rows than requested may come (at least one). A text over
   * 2,000 characters is cut and `cut` names it (see tableCell). `columns` selects and orders the
   * cells; all when absent.
   */
  tableRows: request(
    v.object({ ...viewFields, start: index, end: index, columns: v.optional(columns) }),
  ).resolvesTo<{
    rows: string[][];
    fileRows: number[];
    /** Cells that are cut: position in rows, position in the row. */
    cut?: [row: number, cell: number][];
    /** Positions in rows of the rows with fewer or more cells than the header. */
    ragged?: number[];
  }>(),

  /** Position of a file row in the view; −1 when filters hide it. */
  tablePosition: request(v.object({ ...viewFields, row: index })).resolvesTo<{ position: number }>(),

  /** A cell's text from `start` (UTF-16 units), at most 1,000,000 at once; `length`: the whole. */
  tableCell: request(v.object({ row: index, column: index, start: v.optional(index) })).resolvesTo<{
    text: string;
    length: number;
  }>(),

  /**
   * The next cell (previous when backwards) that contains the text, after the given place in the
   * view, wrapping around at the end; null when there is none. The place itself is searched last.
   * `columns`: which to search, in that order.
   */
  tableFind: request(
    v.object({
      ...viewFields,
      text,
      caseSensitive: v.optional(v.boolean()),
      /** The text is the whole cell, rather than a part of it. */
      wholeCell: v.optional(v.boolean()),
      columns: v.optional(columns),
      /** Position in the view and column to start from; the beginning when absent. */
      from: v.optional(v.object({ position: index, column: index })),
      backwards: v.optional(v.boolean()),
    }),
  ).resolvesTo<{ found: { position: number; row: number; column: number } | null }>(),

  /**
   * How many cells of the view match a search, and which of them a cell is: `index` from 0 in the
   * order in which tableFind goes through them, null where it is none of those counted: at most
   * `limit`, and 1,000,000. `isCut` where there are more.
   */
  tableFindMatches: request(
    v.object({
      ...viewFields,
      text,
      caseSensitive: v.optional(v.boolean()),
      wholeCell: v.optional(v.boolean()),
      columns,
      at: v.optional(v.object({ position: index, column: index })),
      limit: v.optional(index),
    }),
  ).resolvesTo<{ matches: number; isCut: boolean; index: number | null }>(),

  /**
   * Columns with the same text in every row, null if empty. None while rows are read, if columns
   * are read on demand, and in tables of one row.
   */
  tableConstants: request(nothing).resolvesTo<{ constants: { column: number; text: string | null }[] }>(),

  /** Statistics of the columns over the rows of the view (its sort does not matter). */
  tableStatistics: request(v.object({ ...viewFields, columns })).resolvesTo<{
    statistics: JsonColumnStatistics[];
  }>(),

  /**
   * Counts of a numeric column in equal bins from min to max of all rows, or of the range given
   * (the last bin includes its end): Uint32 over all rows, and over the rows of the view. min and
   * max null: no finite number. With `among`, all rows are those that match it: rows of groups and
   * of images are not compared. Without `bins` there are as many as Freedman and Diaconis suggest,
   * 5 to 64; where all numbers of the column are integers, `integers` of them in each; and `ends`
   * are Float64, two for each bin: a filter from one to the other leaves what is counted in it, −∞
   * and ∞ being open. `missing` of the `rows` of the view hold no number, `infinite` one that is in
   * no bin. On the scale `log`, bins are of equal width in decimal logarithms, min, max and range
   * are such, and `notPositive` of the rows hold a number that isn't above 0.
   */
  tableHistogram: request(
    v.object({
      ...viewFields,
      column: index,
      scale: v.optional(axisScale),
      bins: v.optional(finite),
      range: v.optional(v.tuple([finite, finite])),
      among: v.optional(filters),
    }),
  ).resolvesTo<{
    min: number | null;
    max: number | null;
    integers?: number;
    all: ArrayBuffer;
    filtered: ArrayBuffer;
    ends?: ArrayBuffer;
    missing: number;
    infinite?: number;
    notPositive?: number;
    rows: number;
  }>(),

  /** A column's texts with their row counts in the view, most first; only those with `search`. */
  tableDistinct: request(
    v.object({ ...viewFields, column: index, limit: finite, search: v.optional(text) }),
  ).resolvesTo<{ values: { text: string; count: number }[]; distinct: number; missing: number }>(),

  /** Groups by one or two columns, in the order of first rows; at most `limit` (default 1,000). */
  tableGroup: request(
    v.object({ ...viewFields, by: fewColumns, measures: fewColumns, limit: v.optional(finite) }),
  ).resolvesTo<{ groups: TableGroup<JsonStatistics>[]; total: number }>(),

  /**
   * Groups [start, end) by one or two columns, with the requested statistics of each measured
   * column; `all` has those of all rows of the view. At most 10,000 groups and 4 MB: fewer than
   * requested may be returned, but at least one. The statistics are those of tableStatistics,
   * except `distinct`.
   */
  tableGroups: request(v.object({ ...viewFields, ...groupFields, start: index, end: index })).resolvesTo<{
    groups: GroupStatistics<JsonNumber>[];
    total: number;
    all: { rows: number; values: JsonNumber[] };
    /** Infinite numbers per measure, which are in no mean or SD. Absent without any. */
    infinite?: number[];
    /** Images whose rows are left out, as a person excluded them; from the host. */
    excludedImages?: number;
  }>(),

  /** Columns likely to group rows by: texts, and columns with few different integers. */
  tableGroupColumns: request(nothing).resolvesTo<{ columns: number[] }>(),

  /**
   * Which rows of an aggregate table are about groups and which about images: the column that says
   * so and its texts, or the image column that is empty in group rows; null if nothing in the table
   * does. Never sum across both.
   */
  tableLevels: request(nothing).resolvesTo<{
    levels: {
      column: number;
      groupRows: number;
      imageRows: number;
      groupFilter: Filter;
      imageFilter: Filter;
    } | null;
  }>(),

  /**
   * Points of a scatter plot: x, y Float64; rows Uint32, ascending; color Float64 (a number, or the
   * position in colorValues; NaN for missing). Only rows with finite x and y are points; with a
   * `window`, only those in it. At most `limit` points (100,000 at most): `shown` of `total`. More
   * are `sampled`: the view is divided into `shown` equal parts, and each gives one point at
   * random, the same each time. With `bins` and no color, more are counted instead, in a grid over
   * the window (bins × bins, Uint32, y up). With `among`, `filteredOut` has the points of rows that
   * match it but not the filters. Ranges are of both, regardless of the window; `fit` has those of
   * the view alone. On the scale `log`, ranges, windows and the grid are of decimal logarithms.
   */
  tablePoints: request(
    v.object({
      ...viewFields,
      x: index,
      y: index,
      scales: v.optional(axisScales),
      color: v.optional(index),
      limit: finite,
      bins: v.optional(finite),
      window: v.optional(v.object({ x: v.tuple([finite, finite]), y: v.tuple([finite, finite]) })),
      among: v.optional(filters),
    }),
  ).resolvesTo<
    PointBuffers & {
      color?: ArrayBuffer;
      /** A color column's texts, at most 64, most frequent among all rows first; others are NaN. */
      colorValues?: string[];
      /** The ends of a color column of numbers. */
      colorRange?: [number, number];
      xRange: [number, number] | null;
      yRange: [number, number] | null;
      fit: PlotWindow | null;
      /** Rows of the view without a point, as x or y is infinite; absent if none. */
      infinite?: number;
      /** Likewise, as one that isn't above 0 is on a logarithmic axis. */
      notPositive?: number;
      filteredOut?: PointBuffers;
    }
  >(),

  /** A file row's numbers in some columns, as doubles; null for none, and for infinite ones. */
  tableNumbers: request(v.object({ row: index, columns: fewColumns })).resolvesTo<{
    numbers: (number | null)[];
  }>(),

  /**
   * The rows of the view inside a polygon over two numeric columns (even-odd; x0, y0, x1, y1, …),
   * stored as a set; rows read later belong to it too. On `scales` where its lines are straight
   * there.
   */
  tableLasso: request(
    v.object({ ...viewFields, x: index, y: index, polygon, scales: v.optional(axisScales) }),
  ).resolvesTo<{
    set: number;
    rows: number;
  }>(),

  /** Stores file rows, Uint32 each, at most 1,000,000 at once; `add` extends and replaces a set. */
  tableRowSet: request(v.object({ rows: buffer, add: v.optional(index) })).resolvesTo<{
    set: number;
    rows: number;
  }>(),

  /** Statistics of view rows [start, end) × columns, for each column with numbers among them. */
  tableSelection: request(v.object({ ...viewFields, start: index, end: index, columns })).resolvesTo<{
    columns: SelectionStatistics<JsonNumber>[];
  }>(),
};

/** Requests of the host alone. */
interface TableHostRequests {
  openTable: { params: { path: string; options: TableOptions }; result: TableSummary };
  /** Several files as a table: columns joined by name, after `jobColumn` with the files' labels. */
  openTables: {
    params: { files: { path: string; label: string }[]; jobColumn: string; options: TableOptions };
    result: TableSummary;
  };
  /**
   * Writes the view as CSV (UTF-8; the file's delimiter, or tabs to a .tsv; every cell its exact
   * text), or in another format by the ending of the destination, or of `as`; aside and then
   * renamed; once all rows have been read. `written`: names and types of the columns, where a
   * format has types; a column of −1 has no value. `populations`: with a column for each, after the
   * others. Throws `exists` unless overwrite, and
   * `bad-request` for the table's own file.
   */
  tableSave: {
    params: ViewSpec & {
      destination: string;
      as?: string;
      columns?: number[];
      populations?: boolean;
      written?: WrittenColumn[];
      metadata?: Record<string, string>;
      overwrite?: boolean;
      markHeader?: boolean;
    };
    result: { path: string; bytes: number; rows: number };
  };
  /** Types that columns are written with in typed formats; once all rows are read. */
  tableTypes: { params: { columns: number[] }; result: { columns: TypedColumn[] } };
  /** The columns of a file in a typed format. Throws `damaged-table`, `not-a-file`. */
  writtenTypes: { params: { path: string }; result: { columns: WrittenColumn[] } };
  /** Writes groups as tableSave writes rows: header, numbers with all digits, missing as empty. */
  tableGroupsSave: {
    params: ViewSpec &
      v.InferOutput<v.ObjectSchema<typeof groupFields, undefined>> & {
        header: string[];
        destination: string;
        overwrite?: boolean;
        markHeader?: boolean;
        /** There is no column with the numbers of rows. */
        withoutCounts?: boolean;
      };
    result: { path: string; bytes: number; groups: number; infinite?: number[] };
  };
  /**
   * A column's different texts in the rows read so far, in the order of first rows, without empty
   * ones. Throws `too-many-objects` over 500,000.
   */
  tableTexts: { params: { column: number }; result: { texts: string[] } };
  /** Sets the columns of a table that are in no file; those set before go. */
  extendTable: { params: AddedColumns; result: TableSummary };
  closeTable: { params: Record<never, never>; result: Record<string, never> };
}

export type TablePageRequests = RequestsOf<typeof tablePageRequests>;

/** Requests about one table, without its name. */
export type OneTableRequests = TablePageRequests & TableHostRequests;

/** Points one by one, or counts of them, see tablePoints. */
export interface PointBuffers {
  total: number;
  shown: number;
  sampled: boolean;
  x: ArrayBuffer;
  y: ArrayBuffer;
  rows: ArrayBuffer;
  counts?: ArrayBuffer;
}

/** Requests about one table as an engine thread handles them; `table` is the table's name. */
export type OfTable<R extends { [M in keyof R]: { params: unknown; result: unknown } }> = {
  [M in keyof R]: { params: R[M]['params'] & { table: string }; result: R[M]['result'] };
};

export type TableRequests = OfTable<OneTableRequests>;

declare module '../protocol/engineRequests' {
  interface EngineRequests extends TableRequests {}
}
