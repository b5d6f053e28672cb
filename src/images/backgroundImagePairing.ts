import type { BackgroundImageInfo } from './backgroundImageInfo';

/** How the background image under an image's masks was found; always shown. */
export interface BackgroundImagePairing {
  state: 'paired' | 'suggested' | 'missing' | 'unreadable';
  /** In words for the user: "Uploaded from …", "Same path in the workspace", "Same name and size. Use this file?". */
  how: string;
  /** Set when a background image is open and can be painted. */
  backgroundImage?: BackgroundImageInfo;
  /** In words for the user: an EXIF rotation that was not applied, pages that are not shown, … */
  notes?: string[];
  /** In words for the user; of an image file that is shown by itself. */
  fileSize?: string;
  /** Display path of the background image or of the suggestion. */
  path?: string;
  /** What the user may accept when the background image has another size than the masks (state `unreadable`). */
  offers?: BackgroundImageOffer[];
  /** The user accepted that the background image is stretched to fit the masks. */
  stretched?: boolean;
}

/** A way to use a background image of another size than the masks: a level or page of their size, or the image scaled. */
export type BackgroundImageOffer =
  | { kind: 'level'; level: number; width: number; height: number }
  | { kind: 'page'; page: number; width: number; height: number }
  | { kind: 'scaled'; width: number; height: number };
