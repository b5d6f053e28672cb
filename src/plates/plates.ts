import type { ColumnStatisticId, JsonNumber } from '../columns/columnStatistics';
import { isColumnStatistic, unitStatisticIds } from '../columns/unitStatistics';

/* Facts about wells, apart from requests, whose schemas no page loads. */

/** Statistics of a column in a well: those of columns, except `distinct`, which groups lack. */
export type WellStatisticId = Exclude<ColumnStatisticId, 'distinct'>;

export const wellStatisticIds: readonly WellStatisticId[] = [
  ...unitStatisticIds.filter(id => isColumnStatistic(id)),
  'sum',
];

/** The shown value of a well: its measure, percent of the negative controls, or robust z-score. */
export const shownAs = ['value', 'percentOfControl', 'robustZ'] as const;

export type ShownAs = (typeof shownAs)[number];

/** The wells of a plate that have images, row by row; arrays are by well. */
export interface PlateWells {
  /** The plate's name; null if no column names plates. */
  name: string | null;
  /** All spellings of its name. */
  names: string[];
  /** Names of wells, such as "A1". */
  wells: string[];
  /** All spellings of each well. */
  texts: string[][];
  /** The measured value of each well; null if missing. */
  values: JsonNumber[];
  images: number[];
  objects: number[];
  /** Positions among the conditions of all plates; NO_CONDITION, SEVERAL_CONDITIONS. */
  conditions: number[];
}

export const NO_CONDITION = -1;
export const SEVERAL_CONDITIONS = -2;

/** Number of images in no well, with names if there are few. */
export interface LeftOut {
  /** Images without a well, and without a plate; rows where no column names images. */
  withoutWell: number;
  withoutPlate: number;
  /** Texts that name no well, with their images, or rows. */
  notWells: { text: string; images: number }[];
  /** Images whose rows name several wells of a plate. */
  severalWells: { image: string; wells: string[] }[];
}

/** Plates in order, and facts about all of them. */
export interface Plates {
  plates: PlateWells[];
  total: number;
  /** All conditions, in order. */
  conditions: string[];
  leftOut: LeftOut;
  /** Whether a column names images. */
  hasImages: boolean;
  /** Whether images without objects are known. */
  areAllKnown: boolean;
  /** Objects whose number is infinite; means, SDs and sums leave them out. */
  infinite: number;
  /** Objects that are in no share, since a value is missing. */
  unjudged: number;
  /** Number of paths of which several jobs have an image in one well. */
  inSeveralJobs: number;
}
