import * as v from 'valibot';
import type { ColumnStatisticId } from '../columns/columnStatistics';
import type { OfTable } from '../columns/tableRequests';
import { axisScale, filters } from '../columns/viewSchemas';
import type { Filter } from '../columns/viewSpec';
import { request, type RequestsOf } from '../protocol/declarations';
import { buffer, finite, index, texts } from '../protocol/schemas';
import type { Population, PopulationProblem } from './population';
import { populations } from './populationSchemas';

/** A population of a table. Counts are 0 where it has a problem. */
export interface CountedPopulation {
  name: string;
  problem?: PopulationProblem;
  count: number;
  /** Rows of its parent. */
  parentCount: number;
  /** Rows where membership is unknown. */
  missing: number;
  /** Thresholds of its gates, in order; per image, minimum to maximum; null without one. */
  thresholds: [least: number | null, greatest: number | null][];
  /** Of a column's finite numbers; null without any. */
  mean?: number | null;
  /** Changes with its rows, see the filter of a population. */
  as: number;
}

export interface CountedPopulations {
  rowCount: number;
  populations: CountedPopulation[];
}

/** The groups of tables of populations. */
const populationTables = ['images', 'replicates', 'conditions', 'prism'] as const;
export type PopulationTable = (typeof populationTables)[number];

/** Requests of a table's page about populations. */
export const populationPageRequests = {
  /**
   * Stores changes of the table's populations, from `before`; filters and counts use them from then
   * on. `isDrawn` stores nothing: a gate is being dragged. `mean`: a column whose mean each one
   * gets.
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
   * Lets the user save a table of how many rows each population has by images, by replicates or by
   * conditions, or with a column for each condition, as Prism has them; null on Esc. `mean`: a
   * column whose mean is in it.
   */
  savePopulationTable: request(
    v.object({ by: v.picklist(populationTables), mean: v.optional(index) }),
  ).resolvesTo<{ saved: { name: string; rows: number } | null }>(),
  /** Lets the user save populations of the table for other tables; null on Esc. */
  savePopulationFile: request(v.object({ populations })).resolvesTo<{
    saved: { name: string; populations: number } | null;
  }>(),
  /**
   * Lets the user select saved populations. Stores nothing: the page changes its list to the
   * result; null on cancel.
   */
  applyPopulationFile: request(v.object({ populations })).resolvesTo<{ populations: Population[] | null }>(),
};

/** The same, handled by the engine. */
export const populationColorRequests = {
  /**
   * The population that colors each of some rows (Uint32): as Uint16 its position among these
   * names, their number for none. Of several the deepest wins, then the first in the list.
   */
  populationsOfRows: request(v.object({ names: texts, rows: buffer })).resolvesTo<{ places: ArrayBuffer }>(),
  /**
   * Counts rows by color of these populations and by bin of a histogram, see tableHistogram;
   * Uint32, all bins of a name in a row.
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
  /** Counts them in the rows read so far: the set ones, or `populations`. */
  countPopulations: {
    params: { table: string; populations?: Population[] | undefined; mean?: number | undefined };
    result: CountedPopulations;
  };
  /**
   * Writes a row per population and group as CSV, or in another format by the destination's
   * extension. `filters`: rows to count. Groups are from all of these rows, so a population may
   * have none in one. `areas`: mm² by the texts of the first of `by`, for the number per mm² after
   * the shares; `isSpread`: groups of the first of `by` as columns, in a row per population, number
   * and other group.
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
