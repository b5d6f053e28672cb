import * as v from 'valibot';
import type { OfTable } from '../columns/tableRequests';
import { filters } from '../columns/viewSchemas';
import { request, type RequestsOf } from '../protocol/declarations';
import { index, text, texts } from '../protocol/schemas';
import { type Plates, shownAs, wellStatisticIds } from './plates';

/** Filters of the objects that are measured, such as to a population; absent for all. */
const of = v.optional(filters);

/** Measures of wells, each over the objects of a well that match the filters. */
const wellMeasure = v.variant('kind', [
  v.object({ kind: v.literal('column'), column: index, statistic: v.picklist(wellStatisticIds), of }),
  /** The number of objects; 0 in a well whose images have none. */
  v.object({ kind: v.literal('objects'), of }),
  v.object({ kind: v.literal('objectsPerImage'), per: v.picklist(['image', 'area']), of }),
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
  /**
   * The user said that all images are of one plate: equal well names in several folders mean one
   * well.
   */
  isOnePlate: v.optional(v.boolean()),
};

/** Marks of control wells on every plate: by name or, if that isn't marked, by condition. */
const controlMarks = v.object({
  negative: v.object({ wells: texts, conditions: texts }),
  positive: v.object({ wells: texts, conditions: texts }),
});

export type ControlMarks = v.InferOutput<typeof controlMarks>;

/** The columns of a saved plate. */
const savedPlateFields = { ...plateFields, marks: controlMarks, as: v.picklist(shownAs) };

/** Requests of the table page about plates that the engine handles. */
export const plateRequests = {
  /**
   * Plates [start, end) with the values of their wells: maybe fewer, but at least one. Throws
   * `bad-request` with the reason `several-plates` if wells are in several folders or jobs, no
   * column names the plate, and `isOnePlate` isn't set.
   */
  tablePlates: request(v.object({ ...plateFields, start: index, end: index })).resolvesTo<Plates>(),
};

export type PlateRequests = RequestsOf<typeof plateRequests>;

/** Requests of the table page about plates that its panel handles. */
const platePageRequests = {
  /** Lets the user select where to save all plates' wells, see tablePlatesSave; null on Esc. */
  savePlates: request(v.object({ ...savedPlateFields, value: text })).resolvesTo<{
    saved: { name: string; wells: number } | null;
  }>(),
};

/** Requests of a table's page about plates. */
export const platesPage = { passedOn: {}, requests: { ...plateRequests, ...platePageRequests } };

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

/** Names of columns, and their cell texts for controls. */
export type SavedPlateNames = Readonly<
  Record<'plate' | 'well' | 'condition' | 'control' | 'images' | 'objects' | 'value', string> &
    Record<'negative' | 'positive', string>
>;

/** Requests of pages and the host, as the engine handles them. */
export type PlateTableRequests = OfTable<PlateRequests & PlateHostRequests>;

declare module '../protocol/engineRequests' {
  interface EngineRequests extends PlateTableRequests {}
}

declare module '../table/tablePage' {
  interface AddedToPanel {
    plates: typeof platesPage;
  }
}
