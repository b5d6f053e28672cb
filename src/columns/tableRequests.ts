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
 * Requests about tables. Numbers in JSON are finite or null; for infinite ones see JsonNumber.
 * Series are ArrayBuffers of the named type. Rows are numbered as in the file, from 0, without the
 * header; columns by their position in the file, from 0.
 */

/** Limit of requested statistics per measured column; there are fewer. */
const MAX_STATISTICS = 256;

/** Groups of a view's rows, with statistics. By default in the order of their first rows. */
export const groupFields = {
  by: fewColumns,
  measures: fewColumns,
  /** The thread rejects unknown IDs. */
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

/**
 * The table page's requests about its table. The panel adds the table's name and passes them on.
 */
export const tablePageRequests = {
  /** The current summary; cheap. */
  tableSummary: request(nothing).resolvesTo<TableSummary>(),

  /** The number of rows of a view. Filters and sort orders are cached for later requests. */
  tableView: request(v.object(viewFields)).resolvesTo<{ rowCount: number }>(),

  /**
   * Rows [start, end) of the view: the exact text of each cell, and each row's number in the file.
   * At most 10,000 rows and 4 MB: there may be fewer rows than requested, but at least one. A text
   * over 2,000 characters is cut and listed in `cut` (see tableCell). `columns` selects and orders
   * the cells; absent for all.
   */
  tableRows: request(
    v.object({ ...viewFields, start: index, end: index, columns: v.optional(columns) }),
  ).resolvesTo<{
    rows: string[][];
    fileRows: number[];
    /** Cells that are cut: position in `rows`, and position in the row. */
    cut?: [row: number, cell: number][];
    /** Positions in `rows` of rows with fewer or more cells than the header. */
    ragged?: number[];
  }>(),

  /** Position of a file row in the view; −1 if filters hide it. */
  tablePosition: request(v.object({ ...viewFields, row: index })).resolvesTo<{ position: number }>(),

  /**
   * A cell's text from `start` in UTF-16 units, at most 1,000,000 of them. `length`: of the whole
   * text.
   */
  tableCell: request(v.object({ row: index, column: index, start: v.optional(index) })).resolvesTo<{
    text: string;
    length: number;
  }>(),

  /**
   * The next cell with a text after a place in the view (with `backwards`, the previous one); null
   * if there is none. Continues at the other end; the place itself comes last. `columns`: which to
   * search, in this order.
   */
  tableFind: request(
    v.object({
      ...viewFields,
      text,
      caseSensitive: v.optional(v.boolean()),
      /** Whether the text must be all of the cell. */
      wholeCell: v.optional(v.boolean()),
      columns: v.optional(columns),
      /** Position in the view and column to start from; absent for the beginning. */
      from: v.optional(v.object({ position: index, column: index })),
      backwards: v.optional(v.boolean()),
    }),
  ).resolvesTo<{ found: { position: number; row: number; column: number } | null }>(),

  /**
   * How many cells of the view match a search: at most `limit`, and 1,000,000. `isCut`: whether
   * there are more. `index`: the number of the cell `at` among those counted, from 0, in the order
   * of tableFind; null if it isn't among them.
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
   * Columns with the same text in every row; null if it is empty. None are returned while rows are
   * being read, if columns are read on demand, and for tables of one row.
   */
  tableConstants: request(nothing).resolvesTo<{ constants: { column: number; text: string | null }[] }>(),

  /** Statistics of columns over the rows of the view, in any order. */
  tableStatistics: request(v.object({ ...viewFields, columns })).resolvesTo<{
    statistics: JsonColumnStatistics[];
  }>(),

  /**
   * Counts of a numeric column in equal bins from `min` to `max` of all rows, or of `range`; the
   * last bin includes its end. `all` counts all rows, `filtered` the rows of the view, Uint32 each.
   * With `among`, "all rows" are those that match it, as rows of groups and images aren't compared.
   * `min` and `max` are null without a finite number. Without `bins`, their number is chosen by the
   * rule of Freedman and Diaconis, from 5 to 64; if all numbers of the column are integers, each
   * bin has `integers` of them. `ends`: Float64, two filter limits per bin, infinite at open ends;
   * a filter with both selects what the bin counts. Of the view's `rows`, `missing` have no number
   * and `infinite` one that is in no bin. On a `log` scale, bins have equal widths in decimal
   * logarithms, and `min`, `max` and `range` are logarithms; `notPositive` rows have a number that
   * isn't above 0.
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

  /**
   * A column's texts with row counts in the view, most frequent first; with `search`, only texts
   * with it.
   */
  tableDistinct: request(
    v.object({ ...viewFields, column: index, limit: finite, search: v.optional(text) }),
  ).resolvesTo<{ values: { text: string; count: number }[]; distinct: number; missing: number }>(),

  /** Groups by one or two columns, in the order of first rows; at most `limit` (default 1,000). */
  tableGroup: request(
    v.object({ ...viewFields, by: fewColumns, measures: fewColumns, limit: v.optional(finite) }),
  ).resolvesTo<{ groups: TableGroup<JsonStatistics>[]; total: number }>(),

  /**
   * Groups [start, end) by one or two columns, with the requested statistics of each measured
   * column. `all`: statistics of all rows of the view. At most 10,000 groups and 4 MB: there may be
   * fewer groups than requested, but at least one. All statistics of tableStatistics except
   * `distinct` are available.
   */
  tableGroups: request(v.object({ ...viewFields, ...groupFields, start: index, end: index })).resolvesTo<{
    groups: GroupStatistics<JsonNumber>[];
    total: number;
    all: { rows: number; values: JsonNumber[] };
    /** Infinite numbers per measure, which no mean or SD includes. Absent if there are none. */
    infinite?: number[];
    /**
     * Number of images whose rows are left out because the user excluded them; added by the host.
     */
    excludedImages?: number;
  }>(),

  /** Columns that rows are likely grouped by: texts, and columns with few different integers. */
  tableGroupColumns: request(nothing).resolvesTo<{ columns: number[] }>(),

  /**
   * Which rows of an aggregate table are about groups and which about images, by a column whose
   * texts say so, or by the image column, which is empty in group rows. Null if neither does.
   * Never sum across both.
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
   * Points of a scatter plot: x and y Float64; rows Uint32, ascending; color Float64 (a number, or
   * the position in `colorValues`; NaN for missing). Only rows with finite x and y have points;
   * with a `window`, only those in it. At most `limit` points, up to 100,000: `shown` of `total`.
   * If there are more, they are `sampled`: the view is divided into `shown` equal parts, with one
   * random point of each, always the same. With `bins` and without a color, they are counted in a
   * grid over the window instead (bins × bins, Uint32, y upward). With `among`, `filteredOut` has
   * the points of rows that match it but not the filters. Ranges are of both kinds of rows,
   * inside and outside the window; `fit` is the range of the view alone. On a `log` scale, ranges,
   * windows and the grid are in decimal logarithms.
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
      /**
       * Texts of a color column, at most 64, most frequent among all rows first. Other texts are
       * NaN.
       */
      colorValues?: string[];
      /** Minimum and maximum of a color column of numbers. */
      colorRange?: [number, number];
      xRange: [number, number] | null;
      yRange: [number, number] | null;
      fit: PlotWindow | null;
      /** Rows of the view without a point because x or y is infinite; absent if there are none. */
      infinite?: number;
      /** Rows of the view without a point because x or y isn't above 0 on a `log` scale. */
      notPositive?: number;
      filteredOut?: PointBuffers;
    }
  >(),

  /** A file row's numbers in some columns, as doubles; null if missing or infinite. */
  tableNumbers: request(v.object({ row: index, columns: fewColumns })).resolvesTo<{
    numbers: (number | null)[];
  }>(),

  /**
   * Stores the rows of the view inside a polygon over two numeric columns as a set (even-odd; x0,
   * y0, x1, y1, …). Rows that are read later are included. `scales`: the axes on which the
   * polygon's lines are straight.
   */
  tableLasso: request(
    v.object({ ...viewFields, x: index, y: index, polygon, scales: v.optional(axisScales) }),
  ).resolvesTo<{
    set: number;
    rows: number;
  }>(),

  /**
   * Stores file rows as a set, Uint32 each, at most 1,000,000 at once. `add`: a set to extend and
   * replace.
   */
  tableRowSet: request(v.object({ rows: buffer, add: v.optional(index) })).resolvesTo<{
    set: number;
    rows: number;
  }>(),

  /** Statistics of selected cells: view rows [start, end) × columns, for columns with numbers. */
  tableSelection: request(v.object({ ...viewFields, start: index, end: index, columns })).resolvesTo<{
    columns: SelectionStatistics<JsonNumber>[];
  }>(),
};

/** Requests that only the host sends. */
interface TableHostRequests {
  openTable: { params: { path: string; options: TableOptions }; result: TableSummary };
  /**
   * Opens several files as one table: columns are joined by name, after `jobColumn` with the files'
   * labels.
   */
  openTables: {
    params: { files: { path: string; label: string }[]; jobColumn: string; options: TableOptions };
    result: TableSummary;
  };
  /**
   * Writes the view as CSV, or in another format by the extension of `destination` or of `as`. CSV
   * is UTF-8 with the file's delimiter (tabs for .tsv) and each cell's exact text. Waits until all
   * rows are read. The file is written under another name and then renamed. `written`: names and
   * types of the columns in a typed format; position −1 in `columns` has no value. `populations`:
   * adds a column for each at the end; with `written`, `columns` has their positions. Throws `exists` without `overwrite`, and `bad-request` for
   * the table's own file.
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
  /**
   * Types for columns in typed formats, once all rows are read; with `populations`, then those for
   * their columns, which follow the table's.
   */
  tableTypes: {
    params: { columns: number[]; populations?: boolean };
    result: { columns: TypedColumn[] };
  };
  /** The columns of a file in a typed format. Throws `damaged-table`, `not-a-file`. */
  writtenTypes: { params: { path: string }; result: { columns: WrittenColumn[] } };
  /**
   * Writes groups as tableSave writes rows: a header, numbers with all digits, missing ones empty.
   */
  tableGroupsSave: {
    params: ViewSpec &
      v.InferOutput<v.ObjectSchema<typeof groupFields, undefined>> & {
        header: string[];
        destination: string;
        overwrite?: boolean;
        markHeader?: boolean;
        /** Whether to omit the column with the number of rows. */
        withoutCounts?: boolean;
      };
    result: { path: string; bytes: number; groups: number; infinite?: number[] };
  };
  /**
   * The different texts of a column in the rows read so far, in the order of first rows, without
   * empty ones. Throws `too-many-objects` for more than 500,000.
   */
  tableTexts: { params: { column: number }; result: { texts: string[] } };
  /** Sets the columns of a table that aren't from its file, in place of those set before. */
  extendTable: { params: AddedColumns; result: TableSummary };
  closeTable: { params: Record<never, never>; result: Record<string, never> };
}

export type TablePageRequests = RequestsOf<typeof tablePageRequests>;

/** Requests about one table, without its name. */
export type OneTableRequests = TablePageRequests & TableHostRequests;

/** Points one by one, or their counts, see tablePoints. */
export interface PointBuffers {
  total: number;
  shown: number;
  sampled: boolean;
  x: ArrayBuffer;
  y: ArrayBuffer;
  rows: ArrayBuffer;
  counts?: ArrayBuffer;
}

/** Requests about one table as an engine thread handles them. `table`: the table's name. */
export type OfTable<R extends { [M in keyof R]: { params: unknown; result: unknown } }> = {
  [M in keyof R]: { params: R[M]['params'] & { table: string }; result: R[M]['result'] };
};

export type TableRequests = OfTable<OneTableRequests>;

declare module '../protocol/engineRequests' {
  interface EngineRequests extends TableRequests {}
}
