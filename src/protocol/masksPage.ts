import type { LinkReport } from './linkEngine';
import type { MasksSummary, ObjectDetails, ObjectRef } from './masksEngine';
import type { PictureInfo } from './pictureEngine';
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
}

/** What the panel offers the masks page. */
export interface MasksPanelSide {
  requests: {
    /** Answered at once, before `start`: a page needs words to say that it is opening, or that it failed. */
    strings: { params: Record<string, never>; result: PageStrings };
    start: { params: Record<string, never>; result: MasksStart };
    labelTile: {
      params: { image: number; level: number; x: number; y: number };
      result: { labels: ArrayBuffer };
    };
    maskObjects: {
      params: { image: number };
      result: { classes: ArrayBuffer; ids: ArrayBuffer; boxes: ArrayBuffer };
    };
    objectsAt: { params: { image: number; x: number; y: number }; result: { objects: number[] } };
    objectDetails: { params: ObjectRef; result: ObjectDetails };
    /** Looks for the picture of an image and opens it. */
    picture: { params: { image: number }; result: PicturePairing };
    /** Confirms a suggestion, or lets the user pick a file. */
    confirmPicture: { params: { image: number }; result: PicturePairing };
    choosePicture: { params: { image: number }; result: PicturePairing };
    /** Takes one of the offers of a picture of another size; it is remembered. */
    acceptPicture: { params: { image: number; offer: PictureOffer }; result: PicturePairing };
    pictureTile: {
      params: { picture: number; level: number; x: number; y: number };
      result: { pixels: ArrayBuffer };
    };
    retry: { params: Record<string, never>; result: MasksStart };
  };
  events: {
    /**
     * What the panel wants back after a reload, as JSON: the page keeps it as `keep` in its state, which VS Code hands to
     * the serializer.
     */
    keep: unknown;
    progress: { done: number; total: number; text: string };
    link: LinkReport;
    hovered: ObjectRef | null;
    /** Selected elsewhere: show its image, mark it and bring it into view. */
    selected: ObjectRef | null;
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
    failure: { message: string };
  };
}
