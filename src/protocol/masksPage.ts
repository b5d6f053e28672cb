import type { LinkReport, LinkRequests } from './linkEngine';
import type { MasksRequests, MasksSummary, ObjectRef } from './masksEngine';
import type { PictureInfo, PictureRequests } from './pictureEngine';
import type { PageStrings } from './tablePage';

/** How the picture under an image's masks was found; always shown. */
export interface PicturePairing {
  state: 'paired' | 'suggested' | 'missing' | 'unreadable';
  /** In words for the user: "uploaded from …", "same path in the workspace", "same name only: confirm". */
  how: string;
  /** Set when a picture is open and can be painted. */
  picture?: PictureInfo;
  /** Display path of the picture or of the suggestion. */
  path?: string;
  /** What the user may accept when the picture has another size than the masks (state `unreadable`). */
  offers?: PictureOffer[];
  /** The user accepted that the picture is stretched over the masks. */
  stretched?: boolean;
}

/** A way to lay a picture of another size under the masks: a level or page of their size, or the picture scaled. */
export type PictureOffer =
  | { kind: 'level'; level: number; width: number; height: number }
  | { kind: 'page'; page: number; width: number; height: number }
  | { kind: 'scaled'; width: number; height: number };

export interface MasksStart {
  strings: PageStrings;
  title: string;
  masks: MasksSummary;
  link?: LinkReport;
  /** 0…1, from the setting. */
  opacity: number;
  hovered: ObjectRef | null;
  selected: ObjectRef | null;
  /** Colours the user chose, #rrggbb by class name; they last across results. */
  classColours: Record<string, string>;
  /** µm per pixel as the user gave them, by image id. */
  pixelSizes: Record<string, number>;
  /** Set while the objects table is filtered. */
  filtered: TableFiltered | null;
}

/** How much of the objects table its filters let through. */
export interface TableFiltered {
  rowCount: number;
  total: number;
}

/** A numeric column of the objects table, named by its position. */
export interface ObjectColumn {
  column: number;
  name: string;
}

/** Where the objects of an image are counted: inside a polygon (x, y in turn) or a box. */
export interface Region {
  image: number;
  polygon?: number[];
  box?: [number, number, number, number];
}

/** What the page asks of the engine; the panel checks it and passes it on. */
type Passed = Pick<
  MasksRequests,
  'labelTile' | 'maskObjects' | 'objectMeasures' | 'thumbnail' | 'objectsAt' | 'objectDetails'
> &
  Pick<
    PictureRequests,
    'pictureTile' | 'pictureContrast' | 'lockContrast' | 'pixelValues' | 'objectIntensity'
  >;

/** What the panel offers the masks page. */
export interface MasksPanelSide {
  requests: Passed & {
    /** Answered at once, before `start`: a page needs words to say that it is opening, or that it failed. */
    strings: { params: Record<string, never>; result: PageStrings };
    start: { params: Record<string, never>; result: MasksStart };
    objectsInRegion: { params: Region; result: { objects: number[] } };
    /** Numeric columns of the linked objects table; none while nothing is linked. */
    objectColumns: { params: Record<string, never>; result: { columns: ObjectColumn[] } };
    objectValues: LinkRequests['objectValues'];
    /** How a column's values are spread over all rows: uint32 counts in equal bins; null without any number. */
    valueScale: {
      params: { column: number };
      result: { min: number | null; max: number | null; counts: ArrayBuffer };
    };
    /** Which objects of an image the table's filters let through: uint8 each; null while nothing is filtered. */
    shownObjects: { params: { image: number }; result: { shown: ArrayBuffer | null } };
    /** The cells of an object's row of the objects table. */
    objectRow: { params: { row: number }; result: { cells: { name: string; text: string }[] } };
    /** Makes the rows of these objects a filter of the objects table. */
    pickObjects: { params: { image: number; objects: number[] }; result: { rows: number } };
    /** Asks for µm per pixel of an image; null when the user thought better of it or took it back. */
    choosePixelSize: { params: { image: number }; result: { pixelSize: number | null } };
    /** Asks where to save a picture of the view; its bytes follow in parts. */
    saveView: { params: { name: string }; result: { save: number | null } };
    /** A part of at most 4 MB; after the last the file is written. */
    saveViewPart: {
      params: { save: number; bytes: ArrayBuffer; last: boolean };
      result: { saved: string | null };
    };
    /** Looks for the picture of an image and opens it. */
    picture: { params: { image: number }; result: PicturePairing };
    /** Confirms a suggestion, or lets the user pick a file. */
    confirmPicture: { params: { image: number }; result: PicturePairing };
    choosePicture: { params: { image: number }; result: PicturePairing };
    /** Takes one of the offers of a picture of another size; it is remembered. */
    acceptPicture: { params: { image: number; offer: PictureOffer }; result: PicturePairing };
    retry: { params: Record<string, never>; result: MasksStart };
  };
  events: {
    /**
     * What the panel wants back after a reload, as JSON: the page keeps it as `keep` in its state, which VS Code hands to
     * the serializer.
     */
    keep: unknown;
    progress: { done: number; total: number; text: string };
    /** A large picture without a pyramid is being read through once, in rows. */
    pictureProgress: { done: number; total: number };
    link: LinkReport;
    hovered: ObjectRef | null;
    /** Selected elsewhere: show its image, mark it and bring it into view. */
    selected: ObjectRef | null;
    /** The filters of the objects table changed; null when there are none. */
    filtered: TableFiltered | null;
  };
}

/** What the masks page tells its panel. */
export interface MasksPageSide {
  requests: Record<string, never>;
  events: {
    hover: ObjectRef | null;
    select: ObjectRef | null;
    shown: Record<string, never>;
    showTable: Record<string, never>;
    /** The user does not want to wait for the picture of an image. */
    stopPicture: { image: number };
    /** Classes that are hidden, by their position. */
    visibility: { hiddenClasses: number[] };
    /** All colours that the user chose, #rrggbb by class name; null takes one back. */
    classColours: Record<string, string | null>;
    failure: { message: string };
  };
}
