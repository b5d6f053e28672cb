import * as v from 'valibot';
import type { ColumnStatisticId } from '../columns/columnStatistics';
import type { OfTable } from '../columns/tableRequests';
import { axisScale, filters } from '../columns/viewSchemas';
import type { Filter } from '../columns/viewSpec';
import { request, type RequestsOf } from '../protocol/declarations';
import { buffer, finite, index, texts } from '../protocol/schemas';
import type { Population, PopulationProblem } from './population';
import { populations } from './populationSchemas';

/** A population of a table with its row counts, which are 0 if it has a problem. */
export interface CountedPopulation {
  name: string;
  problem?: PopulationProblem;
  count: number;
  /** Rows of its parent. */
  parentCount: number;
  /** Rows where membership is unknown. */
  missing: number;
  /** Thresholds of its gates, in order: the least and the greatest over images; null without. */
  thresholds: [least: number | null, greatest: number | null][];
  /** The mean of a column's finite numbers; null without any. */
  mean?: number | null;
  /** The version of its rows, as in population filters. */
  as: number;
}

export interface CountedPopulations {
  rowCount: number;
  populations: CountedPopulation[];
}

/** The groups of a table of populations. */
const populationTable = v.picklist(['images', 'replicates', 'conditions', 'prism']);
export type PopulationTable = v.InferOutput<typeof populationTable>;

/** Requests of a table's page about populations. */
export const populationPageRequests = {
  /**
   * Stores the changes from `before` to `populations`, and counts rows. Filters use the new list
   * from then on. `isDrawn`: stores nothing, while a gate is being dragged. `mean`: a column whose
   * mean to compute for each population.
   */
  countPopulations: request(
    v.object({
      before: v.optional(populations),
      populations: v.optional(populations),
      isDrawn: v.optional(v.boolean()),
      mean: v.optional(index),
    }),
  ).resolvesTo<CountedPopulations>(),
  /**
   * Lets the user save a table with the row counts of populations by image, by replicate or by
   * condition, or with a column for each condition, as in Prism; null on Esc. `mean`: a column
   * whose mean to add.
   */
  savePopulationTable: request(v.object({ by: populationTable, mean: v.optional(index) })).resolvesTo<{
    saved: { name: string; rows: number } | null;
  }>(),
  /** Lets the user save populations of the table for other tables; null on Esc. */
  savePopulationFile: request(v.object({ populations })).resolvesTo<{
    saved: { name: string; populations: number } | null;
  }>(),
  /**
   * Lets the user select a file of populations to add. Stores nothing: the page changes its list to
   * the result; null on cancel.
   */
  applyPopulationFile: request(v.object({ populations })).resolvesTo<{ populations: Population[] | null }>(),
};

/** Requests of a page about colors of rows by population, handled by the engine. */
export const populationColorRequests = {
  /**
   * The population that colors each of some rows (Uint32): its position among `names` (Uint16), or
   * their number for none. Of several populations, the deepest wins, then the first in the list.
   */
  populationsOfRows: request(v.object({ names: texts, rows: buffer })).resolvesTo<{ places: ArrayBuffer }>(),
  /**
   * Counts the rows that each population colors in each bin of a histogram, see tableHistogram;
   * Uint32, all bins of the first name, then those of the next.
   */
  populationsInBins: request(
    v.object({
      names: texts,
      column: index,
      scale: v.optional(axisScale),
      range: v.optional(v.tuple([finite, finite])),
      filters: v.optional(v.pipe(filters, v.readonly())),
    }),
  ).resolvesTo<{ counts: ArrayBuffer }>(),
};

interface PopulationRequests extends OfTable<RequestsOf<typeof populationColorRequests>> {
  /** Sets the populations of a table. Filters name them from then on. */
  setPopulations: { params: { table: string; populations: Population[] }; result: Record<never, never> };
  /** Counts populations in the rows read so far. `populations` replaces the set ones first. */
  countPopulations: {
    params: { table: string; populations?: Population[] | undefined; mean?: number | undefined };
    result: CountedPopulations;
  };
  /**
   * Writes a row per population and group as CSV, or in another format by the destination's
   * extension. Counts rows that match `filters`. Has a row for each group of these rows, also if a
   * population has no rows in it. `areas`: mm² by text of the first column in `by`, to add the
   * number per mm² after the shares. `isSpread`: makes columns of the groups by the first column in
   * `by`, with a row per population, number and group by the other columns.
   */
  savePopulations: {
    params: {
      table: string;
      by: number[];
      measures: number[];
      statistics: ColumnStatisticId[];
      filters: Filter[];
      areas?: { texts: string[]; areas: number[] } | undefined;
      isSpread?: boolean;
      header: string[];
      destination: string;
      overwrite?: boolean;
      markHeader?: boolean;
    };
    result: { path: string; bytes: number; rows: number };
  };
}

declare module '../protocol/engineRequests' {
  interface EngineRequests extends PopulationRequests {}
}

export type PopulationEngineRequests = PopulationRequests;
export type PopulationPageRequests = RequestsOf<typeof populationPageRequests>;
