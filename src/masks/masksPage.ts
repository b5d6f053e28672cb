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
  /** Whether the masks are still being read; the events `imagesRead` and `masksRead` follow. */
  isReading?: boolean;
  link?: LinkReport | undefined;
  hovered: ObjectRef | null;
  selected: ObjectRef | null;
  /**
   * Whether the selection was set since the result was opened: the page's saved one is outdated.
   */
  isSelectionSet?: true;
  /** Colors the user chose, #rrggbb by class name; they apply across results. */
  classColors: Record<string, string>;
  /** The user's µm per pixel, by image ID. */
  pixelSizes: Record<string, number>;
  /** Named selections: image IDs and objects by name, see SavedObjects. */
  selections: Record<string, StoredObjects[]>;
  /** How many rows match the filters of the objects table; null without filters. */
  filtered: TableFiltered | null;
  /** Whether the user may choose a table, as the masks come without one. */
  choosesTable: boolean;
  /** False for an image file without masks. */
  hasMasks: boolean;
  /** How an image file changed since it was read. */
  fileChange?: FileChange | null;
}

/** MasksStart as the panel sends it. */
export type PackedMasksStart = Omit<MasksStart, 'masks'> & { masks: PackedJson<MasksSummary> };

/** Images that were read, while the others are still being read. */
interface ShownImagesRead {
  images: PackedJson<ShownMaskImage[]>;
  done: number;
  total: number;
}

/** How many rows of the objects table match its filters. */
export interface TableFiltered {
  rowCount: number;
  total: number;
  /** For the image in view: a uint8 per object, 1 if its row matches. */
  shown?: { image: number; objects: ArrayBuffer };
}

/**
 * A column of the objects table that can color objects: numbers, or texts of images. `column`: its
 * position.
 */
export interface ObjectColumn {
  column: number;
  name: string;
  /** See TableColumn. */
  isRounded?: true;
  /** The texts that get a color, in order; only for a column of texts. */
  categories?: string[];
  /** Number of further texts. */
  moreCategories?: number;
}

const size = { width: index, height: index };
const imageParams = v.object({ image: index });
const objectOrNull = v.nullable(objectRef);

/** See BackgroundImageOffer. */
const backgroundImageOffer = v.variant('kind', [
  v.object({ kind: v.literal('level'), level: index, ...size }),
  v.object({ kind: v.literal('page'), page: index, ...size }),
  v.object({ kind: v.literal('turned'), turned: index, ...size }),
  v.object({ kind: v.literal('scaled'), ...size }),
]);

/** The limit of classes in an archive. */
const MAX_CLASSES = 65_536;
/** Total characters of all class names. */
const MAX_CLASS_NAMES = 16_000_000;
/** #rrggbb. */
const MAX_COLOR = 7;

/** Colors by class name. A custom schema, as names like `__proto__` are allowed. */
const colorOrNullByName = v.custom<Record<string, string | null>>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= MAX_CLASSES &&
    Object.keys(value).reduce((sum, name) => sum + name.length, 0) <= MAX_CLASS_NAMES &&
    Object.values(value).every(
      color => color === null || (typeof color === 'string' && color.length <= MAX_COLOR),
    ),
);

/** The limit of images in an archive. */
const MAX_IMAGES = 100_000;
const MAX_PIXEL_SIZE = 1e6;

const pixelSizesById = v.custom<Record<string, number | null>>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= MAX_IMAGES &&
    Object.values(value).every(
      pixelSize =>
        pixelSize === null || (typeof pixelSize === 'number' && pixelSize > 0 && pixelSize < MAX_PIXEL_SIZE),
    ),
);

/** Objects by selection name; null removes a selection. */
const changedSelections = v.record(
  v.pipe(text, v.nonEmpty(), v.maxLength(MAX_SELECTION_NAME)),
  v.nullable(storedObjects),
);

/** Everything that the masks page may request or send. */
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
     * Resolves at once: the page needs these texts while `start` is pending, and if it fails. Sent
     * together with `start`.
     */
    strings: request(nothing).resolvesTo<PageStrings>(),
    start: request(nothing).resolvesTo<PackedMasksStart>(),
    retry: request(nothing).resolvesTo<PackedMasksStart>(),
    /**
     * Columns of the linked objects table that can color objects; none without a link.
     * `hasPopulations`: whether its populations can.
     */
    objectColumns: request(nothing).resolvesTo<{ columns: ObjectColumn[]; hasPopulations?: boolean }>(),
    /**
     * The histogram of a column over all rows: uint32 counts in equal bins. Ends are null without
     * numbers.
     */
    valueScale: request(v.object({ column: index })).resolvesTo<{
      min: number | null;
      max: number | null;
      counts: ArrayBuffer;
    }>(),
    /**
     * Whether the row of each object of an image matches the table's filters: uint8 each; null
     * without filters.
     */
    shownObjects: request(imageParams).resolvesTo<{ shown: ArrayBuffer | null }>(),
    /** The cells of an object's row of the objects table. */
    objectRow: request(v.object({ row: index })).resolvesTo<{ cells: { name: string; text: string }[] }>(),
    /** Makes the rows of these objects a filter of the objects table. */
    selectRows: request(v.object({ selection: objectsOfImages })).resolvesTo<{ rows: number }>(),
    /**
     * Lets the user enter µm per pixel of an image, or of all images like it. Returns the changed
     * ones by image ID, null for removed ones; empty on Esc.
     */
    choosePixelSize: request(imageParams).resolvesTo<{ pixelSizes: Record<string, number | null> }>(),
    /** Sets µm per pixel by image ID, for undo and redo; null removes it. */
    setPixelSizes: request(v.object({ pixelSizes: pixelSizesById })).resolvesTo<Record<string, never>>(),
    /** Adds named selections; null removes one. */
    saveSelections: request(v.object({ selections: changedSelections })).resolvesTo<Record<string, never>>(),
    copy: request(v.object({ text: copiedText })).resolvesTo<Record<string, never>>(),
    /**
     * Lets the user select a file for an image of the view; its bytes follow in parts. Null on Esc.
     */
    saveView: request(v.object({ name: fileName })).resolvesTo<{ save: number | null }>(),
    /** Adds at most 4 MB; after the last part the file is written. */
    saveViewPart: request(v.object({ save: index, bytes: buffer, last: v.boolean() })).resolvesTo<{
      saved: string | null;
    }>(),
    /** Finds the background image of an image and opens it. */
    backgroundImage: request(imageParams).resolvesTo<BackgroundImagePairing>(),
    /** Confirms the suggested background image. */
    confirmBackgroundImage: request(imageParams).resolvesTo<BackgroundImagePairing>(),
    /** Lets the user select a background image. */
    chooseBackgroundImage: request(imageParams).resolvesTo<BackgroundImagePairing>(),
    /** Undoes the user's choice or confirmation of a background image. */
    undoBackgroundImage: request(imageParams).resolvesTo<BackgroundImagePairing>(),
    /** Accepts an offered background image of another size; the choice is stored. */
    acceptBackgroundImage: request(
      v.object({ image: index, offer: backgroundImageOffer }),
    ).resolvesTo<BackgroundImagePairing>(),
  },

  events: {
    hover: objectOrNull,
    select: objectOrNull,
    /** The saved selected object, sent if none was selected since the result was opened. */
    selectedBefore: objectRef,
    /** Something is on the screen now. */
    shown: nothing,
    /** Another image is shown. */
    inView: imageParams,
    showTable: nothing,
    /** Lets the user export the masks. */
    exportMasks: nothing,
    /** Lets the user compare the masks with others. */
    compareMasks: nothing,
    /** Lets the user export only these objects. */
    exportSelected: v.object({ selection: objectsOfImages }),
    /** Lets the user choose the table of masks without one. */
    chooseTable: nothing,
    /** Reads the image file again. */
    reloadFile: nothing,
    /** Stops loading the background image of an image. */
    stopBackgroundImage: imageParams,
    /** Positions of the hidden classes. */
    visibility: v.object({ hiddenClasses: indexes }),
    /** Colors that the user changed, #rrggbb by class name; null restores the default color. */
    classColors: colorOrNullByName,
    /** An error in the page, to be logged. */
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
     * State for reopening the panel after a reload, as JSON. The page saves it as `keep` in its
     * state, which VS Code passes to the serializer.
     */
    panelState: unknown;
    progress: { done: number; total: number; text: string };
    /** Rows read of a large background image without a pyramid. */
    backgroundImageProgress: { image: number; done: number; total: number };
    /** More images were read of masks that are shown while being read. */
    imagesRead: ShownImagesRead;
    /** All images were read: the images of MasksStart, in the same order, with their objects. */
    masksRead: PackedJson<MasksSummary>;
    link: LinkReport;
    /** Columns of the linked table that aren't from its file were added, removed or changed. */
    tableExtended: Record<string, never>;
    /** Populations of the linked table changed in number, objects or color. */
    populationsChanged: Record<string, never>;
    /** Rows were linked: paths of images that share their names. Sent before `link`. */
    imagePaths: { paths: ImagePath[] };
    /** Images that were linked differently: their background images may have changed. */
    searchAgain: { images: number[] };
    hovered: LocatedObject | null;
    /** An object was selected in another panel: show its image, mark it and scroll it into view. */
    selected: LocatedObject | null;
    /** The row of an image was selected in the aggregate table: show the image. */
    showImage: { image: number };
    /** The filters of the objects table changed; null without filters. */
    filtered: TableFiltered | null;
    /** The image file changed or was deleted since it was read; null before it is read again. */
    fileChange: FileChange | null;
    /** A command of the image's context menu. */
    menuCommand: { command: MasksMenuCommand };
  };
}

/**
 * An image file as an archive without objects. It has an image for each page of the file, or its
 * single image.
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

/** One of the file's images as a paired background image. */
export function imagePairing(
  { t, locale }: Language,
  { notes, ...backgroundImage }: OpenedBackgroundImage,
): BackgroundImagePairing {
  // The page lists the other images anyway.
  const remaining = notes.filter(({ code }) => code !== 'one-image-shown');
  return {
    state: 'paired',
    how: '',
    backgroundImage,
    notes: remaining.map(note => `${reasonWords(t, note)}.`),
    fileSize: formatBytes(locale, backgroundImage.fileSize),
  };
}
