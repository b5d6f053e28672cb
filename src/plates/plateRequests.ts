import * as v from 'valibot';
import type { JsonNumber } from '../columns/columnStatistics';
import { filters } from '../columns/viewSchemas';
import { request, type RequestsOf } from '../protocol/declarations';
import { index, nothing, text, texts } from '../protocol/schemas';

/** Statistics that a column has in a well; those of columns but `distinct`, which groups don't have. */
export const wellStatisticIds = [
  'mean',
  'median',
  'sd',
  'min',
  'q1',
  'q3',
  'max',
  'sum',
  'count',
  'missing',
  'infinite',
] as const;

export type WellStatisticId = (typeof wellStatisticIds)[number];

/** What wells are measured by. Each is over the objects of a well that match the filters. */
const wellMeasure = v.variant('kind', [
  v.object({ kind: v.literal('column'), column: index, statistic: v.picklist(wellStatisticIds) }),
  /** The number of objects; 0 in a well whose images have none. */
  v.object({ kind: v.literal('objects') }),
  v.object({ kind: v.literal('objectsPerImage'), per: v.picklist(['image', 'area']) }),
  v.object({ kind: v.literal('share'), of: filters }),
]);

export type WellMeasure = v.InferOutput<typeof wellMeasure>;

const plateFields = {
  filters: v.optional(v.pipe(filters, v.readonly())),
  measure: wellMeasure,
  /** The columns that name the well, the plate and the condition of an image. */
  well: index,
  plate: v.optional(index),
  condition: v.optional(index),
  /** Somebody has said that all images are of one plate: wells of the same name in several folders are the same. */
  isOnePlate: v.optional(v.boolean()),
};

/** How wells are marked as controls, on every plate: by their name, which wins, or by their condition. */
const controlMarks = v.object({
  negative: v.object({ wells: texts, conditions: texts }),
  positive: v.object({ wells: texts, conditions: texts }),
});

export type ControlMarks = v.InferOutput<typeof controlMarks>;

/** What is shown of a well: its value, percent of the negative controls, or robust z-score. */
export const shownAs = ['value', 'percentOfControl', 'robustZ'] as const;

export type ShownAs = (typeof shownAs)[number];

/** What a saved plate has. */
export const savedPlateFields = { ...plateFields, marks: controlMarks, as: v.picklist(shownAs) };

/** Requests of the table page about plates. */
export const plateRequests = {
  /**
   * Plates [start, end) with the values of their wells: fewer may come, but at least one. Throws `bad-request` with the reason
   * `several-plates` where wells are in several folders, no column says the plate, and it isn't said that they are one.
   */
  tablePlates: request(v.object({ ...plateFields, start: index, end: index })).resolvesTo<Plates>(),
};

export type PlateRequests = RequestsOf<typeof plateRequests>;

/** Requests of the table page about plates that its panel handles. */
export const platePageRequests = {
  /** The columns of wells, plates and conditions, by their roles; all images that are known of are counted from now on. */
  plateStart: request(nothing).resolvesTo<PlateStart>(),
  /** Lets the user select where to save the wells of all plates, see tablePlatesSave; null on Esc. */
  savePlates: request(v.object({ ...savedPlateFields, value: text })).resolvesTo<{
    saved: { name: string; wells: number } | null;
  }>(),
};

/** What plates begin with: the columns of each role, by position. */
export interface PlateStart {
  well: number[];
  plate: number[];
  condition: number[];
  /** Whether it may be known how large images are. */
  hasAreas: boolean;
}

/** The wells of a plate that have images, row by row; arrays are by well. */
export interface PlateWells {
  /** Null where no column says it. */
  name: string | null;
  /** All ways in which its name is written. */
  names: string[];
  /** As "A1". */
  wells: string[];
  /** All ways in which each is written. */
  texts: string[][];
  /** Null where a well has no such number. */
  values: JsonNumber[];
  images: number[];
  objects: number[];
  /** Positions among the conditions of all plates; NO_CONDITION, SEVERAL_CONDITIONS. */
  conditions: number[];
}

export const NO_CONDITION = -1;
export const SEVERAL_CONDITIONS = -2;

/** Images that are in no well, named as far as there are few of them. */
export interface LeftOut {
  /** Images without a well, and without a plate; rows where no column names images. */
  withoutWell: number;
  withoutPlate: number;
  /** Texts that name no well, with their images, or rows. */
  notWells: { text: string; images: number }[];
  /** Images whose rows name several wells of a plate. */
  severalWells: { image: string; wells: string[] }[];
}

/** Plates in their order, and what is known of all of them. */
export interface Plates {
  plates: PlateWells[];
  total: number;
  /** In their order. */
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
}

/** Requests of the host alone. */
interface PlateHostRequests {
  /** Writes the wells of all plates, a row each. */
  tablePlatesSave: {
    params: v.InferOutput<v.ObjectSchema<typeof savedPlateFields, undefined>> & {
      names: SavedPlateNames;
      destination: string;
      overwrite?: boolean;
      markHeader?: boolean;
    };
    result: { path: string; bytes: number; wells: number; plates: Plates };
  };
}

/** The names of columns, and what their cells say of controls. */
export interface SavedPlateNames {
  plate: string;
  well: string;
  condition: string;
  control: string;
  negative: string;
  positive: string;
  images: string;
  objects: string;
  value: string;
}

type OneTablePlates = PlateRequests & PlateHostRequests;

/** The same as the engine handles them; `table` is the table's name. */
export type PlateTableRequests = {
  [M in keyof OneTablePlates]: {
    params: OneTablePlates[M]['params'] & { table: string };
    result: OneTablePlates[M]['result'];
  };
};

declare module '../protocol/engineRequests' {
  interface EngineRequests extends PlateTableRequests {}
}
