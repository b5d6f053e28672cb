import * as v from 'valibot';
import type { ColumnStatisticId } from '../columns/columnStatistics';
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
  /** Those of which it isn't known whether they are in it. */
  missing: number;
  /**
   * Of its gates that have one, in their order; of images from the least to the greatest; null
   * where there is none.
   */
  thresholds: [least: number | null, greatest: number | null][];
  /** Of the finite numbers of a column; null where there are none. */
  mean?: number | null;
  /** Changes with its rows, see the filter of a population. */
  as: number;
}

export interface CountedPopulations {
  rowCount: number;
  populations: CountedPopulation[];
}

/** What tables of populations are by. */
export const populationTables = ['images', 'replicates', 'conditions', 'prism'] as const;
export type PopulationTable = (typeof populationTables)[number];

/** What the page of a table may request about populations. */
export const populationPageRequests = {
  /**
   * Stores what is changed in the populations of the table, from `before`, and has filters and
   * counts be of them from then on. With `isDrawn` nothing is stored: a gate is being dragged.
   * `mean`: a column of which each gets its mean.
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
   * Lets the user select populations that were saved. Nothing is stored: the page, which has some,
   * changes its list to what is returned; null where the user cancels.
   */
  applyPopulationFile: request(v.object({ populations })).resolvesTo<{ populations: Population[] | null }>(),
};

/** The same, which the engine answers. */
export const populationColorRequests = {
  /**
   * For each of some rows, as Uint32, whose color it has: as Uint16 the place among these names of
   * populations, their number where it has none. Of several the deepest wins, then the first in the
   * list.
   */
  populationsOfRows: request(v.object({ names: texts, rows: buffer })).resolvesTo<{ places: ArrayBuffer }>(),
  /**
   * How many rows have the color of each of these populations in each bin of a histogram, see
   * tableHistogram; as Uint32, all bins of a name behind each other.
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

type ColorRequests = RequestsOf<typeof populationColorRequests>;

type EngineColorRequests = {
  [M in keyof ColorRequests]: {
    params: ColorRequests[M]['params'] & { table: string };
    result: ColorRequests[M]['result'];
  };
};

interface PopulationRequests extends EngineColorRequests {
  /** Sets the populations of a table. Filters name them from then on. */
  setPopulations: { params: { table: string; populations: Population[] }; result: Record<never, never> };
  /** Counts them in the rows read so far: those that were set, or with `populations` others. */
  countPopulations: {
    params: { table: string; populations?: Population[] | undefined; mean?: number | undefined };
    result: CountedPopulations;
  };
  /**
   * Writes a row for each population and group of rows as CSV, or in another format by the ending
   * of the destination. `filters`: rows that count. Groups are those of all of these rows, so that
   * a population may have none of one. `areas`: mm² by the texts of the first of `by`, for the
   * number per mm² behind the shares; `isSpread`: the groups of the first of `by` as columns, in
   * a row for each population, number and other group.
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
