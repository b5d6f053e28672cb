import * as v from 'valibot';
import { groupFields, type OfTable, type TablePageRequests } from '../columns/tableRequests';
import { fewColumns, filters } from '../columns/viewSchemas';
import { request, type RequestsOf } from '../protocol/declarations';
import { index, nothing, text, texts } from '../protocol/schemas';
import type { Comparison } from './conditionComparison';
import type { ImageColumns } from './imageColumns';
import { unitStatisticIds } from '../columns/unitStatistics';

const measure = v.variant('kind', [
  v.object({ kind: v.literal('column'), column: index, of: v.optional(filters) }),
  v.object({
    kind: v.literal('objectsPerImage'),
    per: v.picklist(['image', 'area']),
    of: v.optional(filters),
  }),
  v.object({ kind: v.literal('share'), of: filters }),
]);

/**
 * The measure of images and replicates: the mean of a column, the number of objects per image or
 * per mm² of images, or the share of objects that match filters, of a class or a population. With
 * `of`, means and numbers are of objects that match these filters, such as a population's; images
 * without any have none of them.
 */
export type Measure = v.InferOutput<typeof measure>;

/** Measures of groups. */
const MAX_MEASURES = 100;

/** The inputs and settings of a comparison. */
export const comparisonFields = {
  filters: v.optional(v.pipe(filters, v.readonly())),
  measure,
  /** The columns of conditions and of replicates. */
  condition: index,
  replicate: fewColumns,
  /** Columns of technical replicates, a level below: their values are averaged per replicate. */
  technical: v.optional(fewColumns),
  /** The user said that each combination of values of the replicate columns is a replicate. */
  combined: v.optional(v.boolean()),
  /** Whether a replicate's value is over its objects, or over the values of its images. */
  mean: v.picklist(['objects', 'images']),
  reference: v.optional(text),
  /** Whether replicates of one name are the same; absent until the user answered. */
  paired: v.optional(v.boolean()),
  /** `logit` is for shares alone. */
  scale: v.picklist(['difference', 'ratio', 'logit']),
  intervals: v.optional(v.picklist(['unadjusted', 'simultaneous'])),
};

/** Groups with statistics of the values of images or of replicates. */
const unitGroupFields = {
  filters: v.optional(v.pipe(filters, v.readonly())),
  by: fewColumns,
  measures: v.pipe(v.array(measure), v.maxLength(MAX_MEASURES)),
  statistics: v.array(v.picklist(unitStatisticIds)),
  of: v.picklist(['images', 'replicates']),
  /** The columns of replicates and of technical ones, see comparisonFields; for `replicates`. */
  replicate: fewColumns,
  technical: v.optional(fewColumns),
  combined: v.optional(v.boolean()),
  mean: v.picklist(['objects', 'images']),
  order: groupFields.order,
};

/** Requests of the table page about its conditions. */
export const conditionRequests = {
  /**
   * As tableGroups; `sem`, `ciLow` and `ciHigh` are null except for replicates. `row` of a group is
   * always 0.
   */
  tableUnitGroups: request(v.object({ ...unitGroupFields, start: index, end: index })).resolvesTo<
    TablePageRequests['tableGroups']['result'] & {
      /** For each measure: objects in no share, since a value is missing. */
      unjudged?: number[];
      /** Images without objects aren't known, and so aren't counted per image. */
      areImagesUnknown?: true;
      /** Columns of replicates multiply n, see areMultiplied: there is no SEM and no interval. */
      areLevelsOpen?: true;
      alike?: EqualSpellings[];
    }
  >(),

  /** Conditions compared by their replicates; with `plot`, also the data drawn behind them. */
  tableCompare: request(v.object({ ...comparisonFields, plot: v.optional(v.boolean()) })).resolvesTo<
    ComparedTable & { marks?: ComparisonMarks }
  >(),
};

export type ConditionRequests = RequestsOf<typeof conditionRequests>;

/** Requests of the table page about conditions that its panel handles. */
export const conditionPageRequests = {
  /** The columns of conditions and replicates, by role; counts all known images from now on. */
  compareStart: request(nothing).resolvesTo<CompareStart>(),
  /** Whether pixels of images differ in size; may take long, since files are opened. */
  pixelSizesDiffer: request(nothing).resolvesTo<{ differ: boolean }>(),
  /**
   * Adds a column that has the numbers of another one, by its name in the file, in µm or µm²; or
   * takes it away. Resolves with the number of images without a pixel size, whose cells are empty.
   * It may take long, since files are opened.
   */
  convertColumn: request(v.object({ column: text, convert: v.boolean() })).resolvesTo<{
    imagesWithout: number;
  }>(),
  /** Lets the user select a file for groups, and writes them with a header; null on Esc. */
  saveUnitGroups: request(v.object({ ...unitGroupFields, header: texts })).resolvesTo<{
    saved: { name: string; groups: number } | null;
  }>(),
  /**
   * Lets the user select where to save a comparison's inputs, see tableCompareSave; null on Esc.
   */
  saveValues: request(
    v.object({
      ...comparisonFields,
      layout: v.picklist(['long', 'wide']),
      names: v.object({
        condition: text,
        replicates: texts,
        technical: texts,
        image: text,
        objects: text,
        value: text,
      }),
    }),
  ).resolvesTo<{ saved: { name: string; rows: number } | null }>(),
};

/** A value of a column, and other ways in which it is written: `10.0` for `10`. */
export interface EqualSpellings {
  column: number;
  value: string;
  others: string[];
}

/** Metadata of a table's images besides its rows. */
export interface ImageFacts {
  /** Their columns are those of the table outside the file (ExtendedTable), in the same order. */
  images: ImageColumns;
  /** The column of the table that names images. */
  pathColumn: number;
  /** Its texts, and the position of the image that each means; −1 for none. */
  texts: readonly string[];
  imageOf: readonly number[];
  /**
   * Whether images without objects are known, from masks, the aggregate table or the job's items.
   */
  areAllKnown: boolean;
  /** The area of each image in mm²; absent unless all have a pixel size. */
  areas?: readonly number[];
}

/** Requests of the host alone. */
interface ConditionHostRequests {
  /** Sets the metadata of a table's images. */
  studyImages: { params: ImageFacts; result: Record<string, never> };
  /** Writes groups like tableGroupsSave does. */
  tableUnitGroupsSave: {
    params: v.InferOutput<v.ObjectSchema<typeof unitGroupFields, undefined>> & SavedTexts;
    result: {
      path: string;
      bytes: number;
      groups: number;
      areLevelsOpen: boolean;
      alike: EqualSpellings[];
      infinite?: number[];
    };
  };
  /**
   * Writes a comparison's inputs: `long` has a row for each image of a replicate with its number of
   * objects and its value, `wide` a column for each condition with the values of its replicates,
   * equal names in one row if paired.
   */
  tableCompareSave: {
    params: ComparisonParams &
      Omit<SavedTexts, 'header' | 'withoutCounts'> & { layout: 'long' | 'wide'; names: SavedNames };
    result: { path: string; bytes: number; rows: number };
  };
}

interface SavedTexts {
  header: readonly string[];
  destination: string;
  overwrite?: boolean;
  markHeader?: boolean;
  /** There is no column with the numbers of objects. */
  withoutCounts?: boolean;
}

/** The names of columns in saved values. */
export interface SavedNames {
  condition: string;
  replicates: readonly string[];
  /** Of technical replicates. */
  technical: readonly string[];
  image: string;
  objects: string;
  value: string;
}

export type ConditionTableRequests = OfTable<ConditionRequests & ConditionHostRequests>;

export type ComparisonParams = ConditionRequests['tableCompare']['params'];

/** Initial data for a comparison of conditions: the columns of each role, by position. */
export interface CompareStart {
  condition: number[];
  replicate: number[];
  technical: number[];
  /** Whether it may be known how large images are. */
  hasAreas: boolean;
}

/** A replicate with its shown value. */
export interface ShownReplicate {
  condition: string;
  name: string[];
  images: number;
  objects: number;
  /** Technical replicates with a value; absent where there are no columns of them. */
  technical?: number;
  value: number | null;
  /** Objects whose number is infinite and left out of the value, where there are any. */
  infinite?: number;
}

/** A comparison with its inputs; conditions are in order. */
export interface ComparedTable extends Comparison<ShownReplicate> {
  replicates: ShownReplicate[];
  /** Replicates of one name occur in several conditions. */
  namesRecur: boolean;
  /** Columns of replicates multiply n, see areMultiplied: nothing is tested unless `combined`. */
  areMultiplied: boolean;
  /** Values that are written in several ways and count as one. */
  alike: EqualSpellings[];
  /** Set where all conditions are numbers, such as doses: the number of each. */
  numbers?: number[];
  /** Objects of these replicates. */
  objects: number;
  /** Their images, and those of them without an object; null where no column names images. */
  images: number | null;
  withoutObjects: number | null;
  /** Whether images without objects are known, see StudyImages. */
  areAllKnown: boolean;
  /** Objects of which it isn't known whether they are in the share, or among those that count. */
  unjudged: number;
  /** Populations with thresholds per image, and their effects; see PopulationSets. */
  byImage?: { kind: 'fixed' | 'thresholds'; populations: string[] };
  /** Objects whose number is infinite: they are in no mean. */
  infinite: number;
  /** Excluded images, with the user's reason. */
  excluded: { image: string; reason: string }[];
  /** Images, or rows where no column names images, without a condition, and without a replicate. */
  withoutCondition: number;
  withoutReplicate: number;
}

/**
 * Small marks behind the means of replicates: objects for a column, else images. Few are points,
 * many a density per condition. Numbers beyond `window` aren't drawn, only counted.
 */
export interface ComparisonMarks {
  of: 'objects' | 'images';
  window: [low: number, high: number] | null;
  beyond: number;
  /** Per condition; `density` is over even steps from `low` to `high`, with maximum 1. */
  groups: { count: number; density?: { low: number; high: number; heights: number[] } }[];
  /** Float64. */
  values: ArrayBuffer;
  /** Position of each point's condition, and of its replicate, NO_REPLICATE for none. Uint32. */
  conditions: ArrayBuffer;
  replicates: ArrayBuffer;
  /** The row of each object, Uint32; empty for images. */
  rows: ArrayBuffer;
}

declare module '../protocol/engineRequests' {
  interface EngineRequests extends ConditionTableRequests {}
}
