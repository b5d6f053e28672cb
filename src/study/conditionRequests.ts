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
 * `of`, means and numbers are of the objects that match these filters, such as those of a
 * population; an image may have no such object.
 */
export type Measure = v.InferOutput<typeof measure>;

/** Maximum number of measures of groups. */
const MAX_MEASURES = 100;

/** The inputs and settings of a comparison. */
export const comparisonFields = {
  filters: v.optional(v.pipe(filters, v.readonly())),
  measure,
  /** The column of conditions, and the columns of replicates. */
  condition: index,
  replicate: fewColumns,
  /** Columns of technical replicates, a level below: their values are averaged per replicate. */
  technical: v.optional(fewColumns),
  /**
   * Whether each combination of values of the replicate columns is a replicate, as the user said.
   */
  combined: v.optional(v.boolean()),
  /** Whether a replicate's value is over its objects, or over the values of its images. */
  mean: v.picklist(['objects', 'images']),
  reference: v.optional(text),
  /** Whether replicates with equal names are the same; absent until the user answers. */
  paired: v.optional(v.boolean()),
  /** `logit` is only for shares. */
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
  /** See comparisonFields; only for `replicates`. */
  replicate: fewColumns,
  technical: v.optional(fewColumns),
  combined: v.optional(v.boolean()),
  mean: v.picklist(['objects', 'images']),
  order: groupFields.order,
};

/** Requests of the table page about its conditions. */
export const conditionRequests = {
  /**
   * Like tableGroups. `sem`, `ciLow` and `ciHigh` are null except for replicates; `row` of a group
   * is 0.
   */
  tableUnitGroups: request(v.object({ ...unitGroupFields, start: index, end: index })).resolvesTo<
    TablePageRequests['tableGroups']['result'] & {
      /** For each measure, the number of objects that it can't judge, since a value is missing. */
      unjudged?: number[];
      /** Set if images without objects are unknown: counts per image leave them out. */
      areImagesUnknown?: true;
      /**
       * Set if columns of replicates multiply n, see areMultiplied: SEM and interval are left out.
       */
      areLevelsOpen?: true;
      /** Number of image paths that several jobs share; absent if 0. */
      inSeveralJobs?: number;
      alike?: EqualSpellings[];
    }
  >(),

  /** Compares conditions by their replicates; with `plot`, adds the data drawn behind them. */
  tableCompare: request(v.object({ ...comparisonFields, plot: v.optional(v.boolean()) })).resolvesTo<
    ComparedTable & { marks?: ComparisonMarks }
  >(),
};

export type ConditionRequests = RequestsOf<typeof conditionRequests>;

/** Requests of the table page about conditions that the panel handles. */
export const conditionPageRequests = {
  /** The columns of images by role; all known images count from then on. */
  studyColumns: request(nothing).resolvesTo<StudyColumns>(),
  /** Whether pixel sizes of images differ; may take long, as files are opened. */
  pixelSizesDiffer: request(nothing).resolvesTo<{ differ: boolean }>(),
  /**
   * Adds a column with the numbers of another one in µm or µm², by its name in the file; with
   * `convert` false, removes it. Resolves with the number of images without a pixel size, whose
   * cells are empty. May take long, as files are opened.
   */
  convertColumn: request(v.object({ column: text, convert: v.boolean() })).resolvesTo<{
    imagesWithout: number;
  }>(),
  /** Lets the user select a file, and writes groups to it with a header; null if canceled. */
  saveUnitGroups: request(v.object({ ...unitGroupFields, header: texts })).resolvesTo<{
    saved: { name: string; groups: number } | null;
  }>(),
  /**
   * Lets the user select a file, and writes a comparison's inputs, see tableCompareSave; null if
   * canceled.
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

/** A value with several spellings in a column: `10.0` for `10`. */
export interface EqualSpellings {
  column: number;
  value: string;
  others: string[];
}

/** Metadata of a table's images. */
export interface ImageFacts {
  /** The image columns of the table are those of ExtendedTable, in the same order. */
  images: ImageColumns;
  /** The table's column with the paths of images. */
  pathColumn: number;
  /** The texts of that column, and the position of each text's image; −1 without one. */
  texts: readonly string[];
  imageOf: readonly number[];
  /**
   * Whether images without objects are known, from masks, the aggregate table or the job's items.
   */
  areAllKnown: boolean;
  /** The area of each image in mm²; absent unless all have a pixel size. */
  areas?: readonly number[];
}

/** Requests of the host. */
interface ConditionHostRequests {
  /** Sets the metadata of a table's images. */
  studyImages: { params: ImageFacts; result: Record<string, never> };
  /** Writes groups, as tableGroupsSave does. */
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
   * Writes a comparison's inputs. `long` has a row for each image of a replicate, with its number
   * of objects, its value, and its job in a table of several. `wide` has a column for each
   * condition with the values of its replicates; if paired, equal names share a row.
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
  /** Leaves out the column with the numbers of objects. */
  withoutCounts?: boolean;
}

/** The names of columns in saved values. */
export interface SavedNames {
  condition: string;
  replicates: readonly string[];
  /** Names of technical replicates. */
  technical: readonly string[];
  image: string;
  objects: string;
  value: string;
}

export type ConditionTableRequests = OfTable<ConditionRequests & ConditionHostRequests>;

export type ComparisonParams = ConditionRequests['tableCompare']['params'];

/** Initial data for a comparison: the columns of each role by position. */
export interface StudyColumns {
  condition: number[];
  replicate: number[];
  technical: number[];
  well: number[];
  plate: number[];
  /** Whether sizes of images may be known. */
  hasAreas: boolean;
}

/** A replicate with its value. */
export interface ShownReplicate {
  condition: string;
  name: string[];
  images: number;
  objects: number;
  /** Technical replicates with a value; absent where there are no columns of them. */
  technical?: number;
  value: number | null;
  /** Number of objects with an infinite number, which the value leaves out; absent without any. */
  infinite?: number;
}

/** A comparison with its inputs; conditions are in order. */
export interface ComparedTable extends Comparison<ShownReplicate> {
  replicates: ShownReplicate[];
  /** Whether replicates in several conditions have equal names. */
  namesRecur: boolean;
  /** Whether columns of replicates multiply n, see areMultiplied; tests then need `combined`. */
  areMultiplied: boolean;
  /** Values with several spellings that count as one. */
  alike: EqualSpellings[];
  /** Set if all conditions are numbers, such as doses: the number of each. */
  numbers?: number[];
  /** Number of objects of these replicates. */
  objects: number;
  /** Number of their images, and of those without objects; null if no column names images. */
  images: number | null;
  withoutObjects: number | null;
  /** Whether images without objects are known, see StudyImages. */
  areAllKnown: boolean;
  /** Number of objects that the measure can't judge, since a value is missing. */
  unjudged: number;
  /** Populations with thresholds per image, and their effect; see PopulationSets. */
  byImage?: { kind: 'fixed' | 'thresholds'; populations: string[] };
  /** Number of image paths that several jobs share in one replicate; absent if 0. */
  inSeveralJobs?: number;
  /** Number of objects with an infinite number, which no mean includes. */
  infinite: number;
  /** Excluded images with the user's reasons. */
  excluded: { image: string; reason: string }[];
  /** Number of images without a condition or a replicate; of rows if no column names images. */
  withoutCondition: number;
  withoutReplicate: number;
}

/**
 * Small marks behind the means of replicates: objects for a column, else images. A few are points,
 * many are a density for each condition. Numbers beyond `window` are counted, but not drawn.
 */
export interface ComparisonMarks {
  of: 'objects' | 'images';
  window: [low: number, high: number] | null;
  beyond: number;
  /** For each condition; `density` has even steps from `low` to `high`, with a maximum of 1. */
  groups: { count: number; density?: { low: number; high: number; heights: number[] } }[];
  /** Float64. */
  values: ArrayBuffer;
  /** Position of each point's condition and replicate, NO_REPLICATE without one. Uint32. */
  conditions: ArrayBuffer;
  replicates: ArrayBuffer;
  /** The row of each object, Uint32; empty for images. */
  rows: ArrayBuffer;
}

declare module '../protocol/engineRequests' {
  interface EngineRequests extends ConditionTableRequests {}
}
