import * as v from 'valibot';
import { backgroundImagePageRequests } from '../images/backgroundImageInfo';
import type { DoubtfulImages, SameImages } from '../archives/imageIdentity';
import type { BackgroundImagePairing } from '../images/backgroundImagePairing';
import type { PageStrings } from '../pages/pageTranslations';
import { type EventsOf, request, type RequestsOf } from '../protocol/declarations';
import type { PackedJson } from '../protocol/packed';
import type { RpcEndpoint } from '../protocol/rpc';
import { drawing, failure, fileName, finite, index, nothing, polygon, text } from '../protocol/schemas';
import type { ClassMode, ClassPair, ComparedSide, ImagePair } from './comparison';
import { comparisonPageRequests } from './comparisonRequests';

/** An image of a side on the page; messages use its position on the side. */
export interface ShownComparedImage {
  name: string;
  width: number;
  height: number;
  objectCount: number;
  /** Number of objects that can't be read. */
  unreadableCount: number;
  /** The reasons for the first unreadable objects, as text. */
  unreadable: string;
  /** Why the image can't be read at all. */
  failure?: string;
}

/** A side of a comparison on the page. */
export interface ShownSide {
  title: string;
  /** Whether it comes from a file of ground truth instead of a job. */
  isTruth: boolean;
  classes: { name: string; count: number }[];
  images: ShownComparedImage[];
  /**
   * Whether areas with the only label of a label image are one object or separate; null if there
   * are none.
   */
  areas: 'together' | 'separate' | null;
  /** Anomalies of the file, as text. */
  notes: string[];
}

/** The current comparison, and its pairs of images. */
export interface ComparisonState {
  unpairedA: number[];
  unpairedB: number[];
  /** Pairs that couldn't be compared, with the reason as text. */
  skipped: (ImagePair & { reason: string })[];
  classes: ClassMode;
  classPairs: ClassPair[];
  /** Corners of the polygon to compare, x and y in turn; null for whole images. */
  region: number[] | null;
  /** Pairs of images by position. */
  pairs: SameImages[];
  /** Likely pairs of images without a partner, and why they aren't certain. */
  doubtful: DoubtfulImages[];
  /** Whether the user's last change of pairs can be undone. */
  canUndo: boolean;
}

/** Initial data of the page. */
export interface ComparisonStart {
  title: string;
  sides: PackedJson<{ a: ShownSide; b: ShownSide }>;
  state: PackedJson<ComparisonState>;
  /** The threshold of the pairs table if it is open. */
  threshold: number;
  /** The selection in the pairs table, and the number of rows that match its filters. */
  selected: ObjectOfSide | null;
  filtered: ShownPairs | null;
}

/** An object of a side; the image is given by its position. */
export interface ObjectOfSide {
  side: ComparedSide;
  image: number;
  object: number;
}

/** Number of rows of the pairs table that match its filters. */
export interface ShownPairs {
  rowCount: number;
  total: number;
}

/** The selected objects of two images by position: a pair, or a single object. */
const selectedPair = v.object({
  images: v.object({ a: index, b: index }),
  a: v.optional(index),
  b: v.optional(index),
  /** Whether the selection came from the pairs table, or from a side's table or masks. */
  byTable: v.boolean(),
});
export type SelectedPair = v.InferOutput<typeof selectedPair>;

const classPair = v.object({ a: text, b: text });
/** Maximum number of classes, as in an archive. */
const MAX_CLASSES = 65_536;
const threshold = v.object({ threshold: finite });

/** The user's settings for comparing images. */
export const comparisonChoice = v.object({
  classes: v.picklist(['each', 'all']),
  classPairs: v.pipe(v.array(classPair), v.maxLength(MAX_CLASSES)),
  region: v.nullable(polygon),
});
export type ComparisonChoice = v.InferOutput<typeof comparisonChoice>;

/**
 * Two images by position, and how to find their background image: automatically, by confirming the
 * suggestion, by the user, or by undoing the user's choice.
 */
const searchedImage = v.object({
  a: index,
  b: index,
  by: v.picklist(['find', 'confirm', 'choose', 'undoChoice']),
});
export type SearchedImage = v.InferOutput<typeof searchedImage>;

/** All requests and events of the page. */
export const comparisonPage = {
  passedOn: {
    ...comparisonPageRequests,
    backgroundImageTile: backgroundImagePageRequests.backgroundImageTile,
  },

  requests: {
    /** The page's strings, as for the masks page. */
    strings: request(nothing).resolvesTo<PageStrings>(),
    start: request(nothing).resolvesTo<ComparisonStart>(),
    retry: request(nothing).resolvesTo<ComparisonStart>(),
    /** Compares all paired images with other settings. */
    compareAgain: request(comparisonChoice).resolvesTo<PackedJson<ComparisonState>>(),
    /** Pairs two images by position, stores the pair, and compares again. */
    pairImages: request(v.object({ a: index, b: index })).resolvesTo<PackedJson<ComparisonState>>(),
    /** Pairs all images with equal names, although other files were analyzed. */
    pairDoubtful: request(nothing).resolvesTo<PackedJson<ComparisonState>>(),
    /** Undoes the user's last change of pairs. */
    undoPairing: request(nothing).resolvesTo<PackedJson<ComparisonState>>(),
    /** Sets whether separate areas of one label are separate objects; the page then reloads. */
    separateAreas: request(v.object({ separates: v.boolean() })).resolvesTo<Record<string, never>>(),
    /** Finds the image that both were made of, and opens it. */
    imageBeneath: request(searchedImage).resolvesTo<BackgroundImagePairing>(),
    /** Opens the pairs as a table next to the comparison. */
    openPairs: request(nothing).resolvesTo<Record<string, never>>(),
    /**
     * A byte for each object of two images: 1 if its row matches the filters of the pairs table,
     * else 0; null without filters.
     */
    shownObjects: request(v.object({ a: index, b: index })).resolvesTo<{
      a: ArrayBuffer | null;
      b: ArrayBuffer | null;
    }>(),
    /** Saves scores and pairs into a folder that the user selects; null if canceled. */
    saveAll: request(threshold).resolvesTo<{ saved: string | null }>(),
    /** Saves a drawing to a file that the user selects; null if canceled. */
    saveDrawing: request(
      v.object({ name: fileName, type: v.picklist(['png', 'svg']), data: drawing }),
    ).resolvesTo<{ saved: string | null }>(),
  },

  events: {
    /** The first content was rendered. */
    shown: nothing,
    /** The threshold changed. */
    threshold,
    /** Objects were selected, or the selection was cleared. */
    select: v.nullable(selectedPair),
    /** An error in the page, for the log. */
    failure,
  },
};

/** Messages of the page. */
export interface ComparisonPageSide {
  requests: Record<string, never>;
  events: EventsOf<typeof comparisonPage.events>;
}

/** The panel's side for the page. */
export interface ComparisonPanelSide {
  requests: RequestsOf<typeof comparisonPage.passedOn> & RequestsOf<typeof comparisonPage.requests>;
  events: {
    /** The panel's state, as for the masks page. */
    panelState: unknown;
    progress: { done: number; total: number; text: string };
    /**
     * Shows a row selected in the table of pairs, or an object selected in a side's table or masks.
     */
    selected: ObjectOfSide | null;
    /** The object hovered in the table of pairs, or in a side's table or masks; null for none. */
    hovered: ObjectOfSide | null;
    /** The filters of the pairs table changed; null without filters. */
    filtered: ShownPairs | null;
  };
}

/** The page's connection to its panel. */
export type ComparisonPanelPort = Pick<
  RpcEndpoint<ComparisonPageSide, ComparisonPanelSide>,
  'request' | 'send'
>;
