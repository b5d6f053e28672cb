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

/** An image of a side, as the page names it; its position on its side is how messages name it. */
export interface ShownComparedImage {
  name: string;
  width: number;
  height: number;
  objectCount: number;
  /** Objects that can't be read. */
  unreadableCount: number;
  /** The reasons for the first of them, as text. */
  unreadable: string;
  /** Why the image can't be read at all. */
  failure?: string;
}

/** A side of a comparison, as the page shows it. */
export interface ShownSide {
  title: string;
  /** It comes from a file of ground truth, not from a run. */
  isTruth: boolean;
  classes: { name: string; count: number }[];
  images: ShownComparedImage[];
  /** Meaning of areas of its label images with one label; null without such an image. */
  areas: 'together' | 'separate' | null;
  /** Anomalies of the file, as text. */
  notes: string[];
}

/** The current comparison of images, and which images. */
export interface ComparisonState {
  unpairedA: number[];
  unpairedB: number[];
  /** Pairs that couldn't be compared, with the reason in words. */
  skipped: (ImagePair & { reason: string })[];
  classes: ClassMode;
  classPairs: ClassPair[];
  /** Corners x, y in turn of the polygon that is judged; null for whole images. */
  region: number[] | null;
  /** Pairs of images, by their positions and keys. */
  pairs: SameImages[];
  /** Images without a partner that would be pairs, and why they aren't for certain. */
  doubtful: DoubtfulImages[];
  /** Whether the user's last change of pairs can be undone. */
  canUndo: boolean;
}

/** Initial data of the page. */
export interface ComparisonStart {
  title: string;
  sides: PackedJson<{ a: ShownSide; b: ShownSide }>;
  state: PackedJson<ComparisonState>;
  /** That of the table of pairs, if it is open. */
  threshold: number;
  /** The selection in the open table of pairs, and the rows that match its filters. */
  selected: ObjectOfSide | null;
  filtered: ShownPairs | null;
}

/** An object of a side, its image by the position on its side. */
export interface ObjectOfSide {
  side: ComparedSide;
  image: number;
  object: number;
}

/** How many rows of the table of pairs match its filters. */
export interface ShownPairs {
  rowCount: number;
  total: number;
}

/** The selected objects of two images, by position: a pair, or a single one. */
const selectedPair = v.object({
  images: v.object({ a: index, b: index }),
  a: v.optional(index),
  b: v.optional(index),
  /** The selection came from the table of pairs, or the panel for the table or masks of a side. */
  byTable: v.boolean(),
});
export type SelectedPair = v.InferOutput<typeof selectedPair>;

const classPair = v.object({ a: text, b: text });
/** As many classes as an archive may have. */
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
 * Two images by their positions, and how the image below them is found: automatically, as
 * suggested, or by the user, whose choice can be undone.
 */
const searchedImage = v.object({
  a: index,
  b: index,
  by: v.picklist(['find', 'confirm', 'choose', 'undoChoice']),
});
export type SearchedImage = v.InferOutput<typeof searchedImage>;

/** Everything that the page of a comparison may send. */
export const comparisonPage = {
  passedOn: {
    ...comparisonPageRequests,
    backgroundImageTile: backgroundImagePageRequests.backgroundImageTile,
  },

  requests: {
    /** As of the masks page. */
    strings: request(nothing).resolvesTo<PageStrings>(),
    start: request(nothing).resolvesTo<ComparisonStart>(),
    retry: request(nothing).resolvesTo<ComparisonStart>(),
    /** Compares all paired images in another way. */
    compareAgain: request(comparisonChoice).resolvesTo<PackedJson<ComparisonState>>(),
    /** Pairs two images, by their positions, and compares all again; stores the pair. */
    pairImages: request(v.object({ a: index, b: index })).resolvesTo<PackedJson<ComparisonState>>(),
    /** Pairs all images that names pair, though other files were analyzed. */
    pairDoubtful: request(nothing).resolvesTo<PackedJson<ComparisonState>>(),
    /** Undoes the user's last change of pairs. */
    undoPairing: request(nothing).resolvesTo<PackedJson<ComparisonState>>(),
    /** Makes areas with one label separate objects, or one again; the page then reloads. */
    separateAreas: request(v.object({ separates: v.boolean() })).resolvesTo<Record<string, never>>(),
    /** Finds the image that both were made of, and opens it. */
    imageBeneath: request(searchedImage).resolvesTo<BackgroundImagePairing>(),
    /** Opens the pairs as a table, beside the comparison. */
    openPairs: request(nothing).resolvesTo<Record<string, never>>(),
    /**
     * Per object of two images, 1 if its row matches the filters of the table of pairs, else 0;
     * null without filters.
     */
    shownObjects: request(v.object({ a: index, b: index })).resolvesTo<{
      a: ArrayBuffer | null;
      b: ArrayBuffer | null;
    }>(),
    /** Saves scores and pairs as files into a folder that the user selects; null on Esc. */
    saveAll: request(threshold).resolvesTo<{ saved: string | null }>(),
    /** Saves a drawing where the user says; null on Esc. */
    saveDrawing: request(
      v.object({ name: fileName, type: v.picklist(['png', 'svg']), data: drawing }),
    ).resolvesTo<{ saved: string | null }>(),
  },

  events: {
    /** The first content is on the screen. */
    shown: nothing,
    /** The view has another threshold. */
    threshold,
    /** Objects were selected, or none. */
    select: v.nullable(selectedPair),
    /** An error in the page; for the log. */
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
    /** As of the masks page. */
    panelState: unknown;
    progress: { done: number; total: number; text: string };
    /**
     * Shows a row selected in the table of pairs, or an object selected in a side's table or masks.
     */
    selected: ObjectOfSide | null;
    /** The object hovered in the table of pairs, or in a side's table or masks; null for none. */
    hovered: ObjectOfSide | null;
    /** The filters of the table of pairs let other rows through; null without filters. */
    filtered: ShownPairs | null;
  };
}

/** The page's connection to its panel. */
export type ComparisonPanelPort = Pick<
  RpcEndpoint<ComparisonPageSide, ComparisonPanelSide>,
  'request' | 'send'
>;
