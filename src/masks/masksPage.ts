import * as v from 'valibot';
import type { PageSettings } from '../host/settings';
import {
  backgroundImagePageRequests,
  type FileChange,
  type ImagePage,
  type OpenedBackgroundImage,
} from '../images/backgroundImageInfo';
import type { BackgroundImagePairing } from '../images/backgroundImagePairing';
import type { PageStrings } from '../pages/pageTranslations';
import { type EventsOf, request, type RequestsOf } from '../protocol/declarations';
import type { MasksMenuCommand } from '../protocol/menuCommands';
import type { PackedJson } from '../protocol/packed';
import { buffer, copiedText, failure, fileName, index, indexes, nothing, text } from '../protocol/schemas';
import { formatBytes } from '../words/format';
import { reasonWords } from '../words/reasonWords';
import type { Language, Translate } from '../words/translate';
import {
  masksPageRequests,
  objectsOfImages,
  selectionPageRequests,
  objectRef,
} from '../archives/masksRequests';
import type {
  LocatedObject,
  ImagePath,
  MasksSummary,
  ObjectRef,
  ShownMaskImage,
} from '../archives/masksSummary';
import { imageLinkRequests, linkPageRequests, type LinkReport } from '../linking/rowLinks';
import { MAX_SELECTION_NAME, storedObjects, type StoredObjects } from './storedObjects';

/** Initial data of the page, with the masks settings under their names (PageSettings). */
export interface MasksStart extends PageSettings<'masks'> {
  title: string;
  masks: MasksSummary;
  /** The masks are still being read; the events `imagesRead` and `masksRead` follow. */
  isReading?: boolean;
  link?: LinkReport | undefined;
  hovered: ObjectRef | null;
  selected: ObjectRef | null;
  /** The selection was set since the result was opened: the saved one is outdated. */
  isSelectionSet?: true;
  /** Colors the user chose, #rrggbb by class name; they apply across results. */
  classColors: Record<string, string>;
  /** µm per pixel as the user entered them, by image ID. */
  pixelSizes: Record<string, number>;
  /** Objects that the user selected and named, by name: image IDs and objects, see SavedObjects. */
  selections: Record<string, StoredObjects[]>;
  /** Set while the objects table is filtered. */
  filtered: TableFiltered | null;
  /** Whether the masks come without a table, so that the user chooses one. */
  choosesTable: boolean;
  /** False for an image file without masks. */
  hasMasks: boolean;
  /** Changes of an image file since it was read. */
  fileChange?: FileChange | null;
}

/** A start as the panel sends it. */
export type PackedMasksStart = Omit<MasksStart, 'masks'> & { masks: PackedJson<MasksSummary> };

/** Images that were read, while others still are. */
interface ShownImagesRead {
  images: PackedJson<ShownMaskImage[]>;
  done: number;
  total: number;
}

/** How many rows of the objects table match its filters. */
export interface TableFiltered {
  rowCount: number;
  total: number;
  /** For the image in view, a uint8 per object: whether its row matches. */
  shown?: { image: number; objects: ArrayBuffer };
}

/**
 * A column of the objects table that can color objects, by position: numbers, or texts of images.
 */
export interface ObjectColumn {
  column: number;
  name: string;
  /** See TableColumn. */
  isRounded?: true;
  /** The texts that get a color, in their order; of a column of texts. */
  categories?: string[];
  /** Number of further texts. */
  moreCategories?: number;
}

const size = { width: index, height: index };
const ofImage = v.object({ image: index });
const objectOrNull = v.nullable(objectRef);

/** See BackgroundImageOffer. */
const backgroundImageOffer = v.variant('kind', [
  v.object({ kind: v.literal('level'), level: index, ...size }),
  v.object({ kind: v.literal('page'), page: index, ...size }),
  v.object({ kind: v.literal('turned'), turned: index, ...size }),
  v.object({ kind: v.literal('scaled'), ...size }),
]);

/** As many as an archive may have. */
const MAX_CLASSES = 65_536;
/** Characters of all their names. */
const MAX_CLASS_NAMES = 16_000_000;
/** #rrggbb. */
const MAX_COLOR = 7;

/** Colors by class, also of names of built-in properties of objects. */
const colorOrNullByName = v.custom<Record<string, string | null>>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= MAX_CLASSES &&
    Object.keys(value).reduce((sum, name) => sum + name.length, 0) <= MAX_CLASS_NAMES &&
    Object.values(value).every(
      each => each === null || (typeof each === 'string' && each.length <= MAX_COLOR),
    ),
);

/** As many as an archive may have, and as people may type them. */
const MAX_IMAGES = 100_000;
const MAX_PIXEL_SIZE = 1e6;

const pixelSizesById = v.custom<Record<string, number | null>>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= MAX_IMAGES &&
    Object.values(value).every(
      each => each === null || (typeof each === 'number' && each > 0 && each < MAX_PIXEL_SIZE),
    ),
);

/** Selections of objects by their names; null removes one. */
const changedSelections = v.record(
  v.pipe(text, v.nonEmpty(), v.maxLength(MAX_SELECTION_NAME)),
  v.nullable(storedObjects),
);

/** Everything that the masks page may send. */
export const masksPage = {
  passedOn: {
    ...masksPageRequests,
    ...backgroundImagePageRequests,
    ...linkPageRequests,
    ...selectionPageRequests,
  },

  requests: {
    ...imageLinkRequests,
    /**
     * Resolves at once, before `start`: the page needs texts for its opening and failures. Sent
     * with it.
     */
    strings: request(nothing).resolvesTo<PageStrings>(),
    start: request(nothing).resolvesTo<PackedMasksStart>(),
    retry: request(nothing).resolvesTo<PackedMasksStart>(),
    /**
     * Columns of the linked objects table that can color objects, and whether its populations can;
     * none without a link.
     */
    objectColumns: request(nothing).resolvesTo<{ columns: ObjectColumn[]; hasPopulations?: boolean }>(),
    /**
     * The histogram of a column over all rows: uint32 counts in equal bins; null without any
     * number.
     */
    valueScale: request(v.object({ column: index })).resolvesTo<{
      min: number | null;
      max: number | null;
      counts: ArrayBuffer;
    }>(),
    /**
     * Objects of an image whose row matches the table's filters: uint8 each; null without filters.
     */
    shownObjects: request(ofImage).resolvesTo<{ shown: ArrayBuffer | null }>(),
    /** The cells of an object's row of the objects table. */
    objectRow: request(v.object({ row: index })).resolvesTo<{ cells: { name: string; text: string }[] }>(),
    /** Makes the rows of these objects a filter of the objects table. */
    selectRows: request(v.object({ selection: objectsOfImages })).resolvesTo<{ rows: number }>(),
    /**
     * Lets the user enter µm per pixel of an image, or of all like it. Returns changed ones by
     * image ID, null for removed ones. Empty on Esc.
     */
    choosePixelSize: request(ofImage).resolvesTo<{ pixelSizes: Record<string, number | null> }>(),
    /** Stores earlier or later µm per pixel by image ID; null removes one. */
    setPixelSizes: request(v.object({ pixelSizes: pixelSizesById })).resolvesTo<Record<string, never>>(),
    /** Stores named selections; null removes one. */
    saveSelections: request(v.object({ selections: changedSelections })).resolvesTo<Record<string, never>>(),
    copy: request(v.object({ text: copiedText })).resolvesTo<Record<string, never>>(),
    /**
     * Lets the user select where to save an image of the view; its bytes follow in parts. Null on
     * Esc.
     */
    saveView: request(v.object({ name: fileName })).resolvesTo<{ save: number | null }>(),
    /** A part of at most 4 MB; after the last the file is written. */
    saveViewPart: request(v.object({ save: index, bytes: buffer, last: v.boolean() })).resolvesTo<{
      saved: string | null;
    }>(),
    /** Finds the background image of an image and opens it. */
    backgroundImage: request(ofImage).resolvesTo<BackgroundImagePairing>(),
    /** Confirms a suggestion. */
    confirmBackgroundImage: request(ofImage).resolvesTo<BackgroundImagePairing>(),
    /** Lets the user select a file. */
    chooseBackgroundImage: request(ofImage).resolvesTo<BackgroundImagePairing>(),
    /** Undoes the user's choice or confirmation. */
    undoBackgroundImage: request(ofImage).resolvesTo<BackgroundImagePairing>(),
    /** Accepts one of the offers of a background image of another size; it is remembered. */
    acceptBackgroundImage: request(
      v.object({ image: index, offer: backgroundImageOffer }),
    ).resolvesTo<BackgroundImagePairing>(),
  },

  events: {
    hover: objectOrNull,
    select: objectOrNull,
    /** The page's last selected object, if nothing was selected since. */
    selectedBefore: objectRef,
    /** The first content is on the screen. */
    shown: nothing,
    /** Another image is in view. */
    inView: ofImage,
    showTable: nothing,
    /** Lets the user export the masks. */
    exportMasks: nothing,
    /** Lets the user compare the masks with others. */
    compareMasks: nothing,
    /** Lets the user export these objects alone. */
    exportSelected: v.object({ selection: objectsOfImages }),
    /** The user wants to choose the table of masks that come without one. */
    chooseTable: nothing,
    /** Read the image file again. */
    reloadFile: nothing,
    /** The user stopped loading the background image of an image. */
    stopBackgroundImage: ofImage,
    /** Classes that are hidden, by their position. */
    visibility: v.object({ hiddenClasses: indexes }),
    /** All colors that the user chose, #rrggbb by class name; null removes one. */
    classColors: colorOrNullByName,
    /** An error in the page; for the log. */
    failure,
  },
};

/** Messages of the masks page. */
export interface MasksPageSide {
  requests: Record<string, never>;
  events: EventsOf<typeof masksPage.events>;
}

/** The panel's side for the masks page. */
export interface MasksPanelSide {
  requests: RequestsOf<typeof masksPage.passedOn> & RequestsOf<typeof masksPage.requests>;
  events: {
    /**
     * State for reopening the panel after a reload, as JSON: the page saves it as `keep` in its
     * state, which VS Code passes to the serializer.
     */
    panelState: unknown;
    progress: { done: number; total: number; text: string };
    /** Progress of reading a large background image without a pyramid, in rows. */
    backgroundImageProgress: { image: number; done: number; total: number };
    /** More images were read of masks that are shown while being read. */
    imagesRead: ShownImagesRead;
    /** All images were read: those of MasksStart, in the same order, with their objects. */
    masksRead: PackedJson<MasksSummary>;
    link: LinkReport;
    /** Columns of the linked table outside the file were added, removed or changed. */
    tableExtended: Record<string, never>;
    /** Populations of the linked table are others, or have other objects or colors. */
    populationsChanged: Record<string, never>;
    /** The paths of images whose names others have too, as rows were linked; sent before `link`. */
    imagePaths: { paths: ImagePath[] };
    /** Images that were linked in another way: their background images may be others. */
    searchAgain: { images: number[] };
    hovered: LocatedObject | null;
    /** Selected in another panel: show its image, mark it and scroll it into view. */
    selected: LocatedObject | null;
    /** The row of an image was selected in the aggregate table: show it. */
    showImage: { image: number };
    /** The filters of the objects table changed; null when there are none. */
    filtered: TableFiltered | null;
    /** The image file was changed or deleted since it was read; null before it is read again. */
    fileChange: FileChange | null;
    /** An entry of the image's context menu was selected, or its command. */
    menuCommand: { command: MasksMenuCommand };
  };
}

/**
 * An image file in the masks page: an archive without objects, with an image for each size of its
 * pages.
 */
export function imageSummary(t: Translate, title: string, opened: OpenedBackgroundImage): MasksSummary {
  const { width, height, pages, firstPage } = opened;
  const images: ImagePage[] = pages.length > 0 ? pages : [{ width, height, page: firstPage }];
  return {
    classes: [],
    images: images.map(({ page, role, ...size }, index) => ({
      index,
      id: String(page),
      filename: images.length > 1 ? imageName(t, title, page, role) : title,
      ...size,
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
    })),
    notes: [],
  };
}

/** The name of a file's image in the list of its images. */
function imageName(t: Translate, title: string, page: number, role: ImagePage['role']): string {
  switch (role?.kind) {
    case undefined:
      return t('{0}, page {1}', title, page + 1);
    case 'slide':
      return title;
    case 'area': {
      const { number, left, top } = role;
      if (left === undefined || top === undefined) return t('{0}, area {1}', title, number);
      const millimeters = (microns: number) => (microns / 1000).toFixed(1);
      return t('{0}, area {1} at {2}, {3} mm', title, number, millimeters(left), millimeters(top));
    }
    case 'macro':
      return t('{0}, macro image', title);
    case 'map':
      return t('{0}, slide map', title);
    case 'label':
      return t('{0}, label', title);
    case 'thumbnail':
      return t('{0}, thumbnail', title);
  }
}

/** The view of one of the file's images, in place of a background image. */
export function imagePairing(
  { t, locale }: Language,
  { notes, ...backgroundImage }: OpenedBackgroundImage,
): BackgroundImagePairing {
  // The others are in the list of images.
  const remaining = notes.filter(({ code }) => code !== 'one-image-shown');
  return {
    state: 'paired',
    how: '',
    backgroundImage,
    notes: remaining.map(note => `${reasonWords(t, note)}.`),
    fileSize: formatBytes(locale, backgroundImage.fileSize),
  };
}
