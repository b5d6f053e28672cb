import { reasonWords } from '../words/reasonWords';
import type { Language, Translate } from '../words/translate';
import type { BackgroundImageInfo, ImagePage, ImageSize, OpenedBackgroundImage } from './backgroundImageInfo';

/** The background image under an image's masks, and how it was found; the page shows both. */
export interface BackgroundImagePairing {
  state: 'paired' | 'suggested' | 'missing' | 'unreadable';
  /** For the user: "The uploaded file, unchanged", "Same name and size. Use this file?", … */
  how: string;
  /** Set if a background image is open and can be painted. */
  backgroundImage?: BackgroundImageInfo;
  /** For the user: an EXIF rotation that isn't applied, pages that aren't shown, … */
  notes?: string[];
  /** For the user: the size of an image file that is shown without masks. */
  fileSize?: string;
  /** Display path of the background image or of the suggestion. */
  path?: string;
  /** Ways to fit a background image whose size differs from the masks' (state `unreadable`). */
  offers?: BackgroundImageOffer[];
  /** Several images of the file have the masks' size; `offers` has one for each. */
  severalFit?: true;
  /** The user accepted that the background image is stretched to fit the masks. */
  stretched?: boolean;
  /** The user selected or confirmed the background image, and can undo this. */
  isChosen?: true;
}

/**
 * A way to fit a background image to masks of another size: a level or page, a turn by its EXIF
 * orientation, or scaling.
 */
export type BackgroundImageOffer =
  | { kind: 'level'; level: number; width: number; height: number }
  | ({ kind: 'page' } & ImagePage)
  | { kind: 'turned'; turned: number; width: number; height: number }
  | { kind: 'scaled'; width: number; height: number };

/** How to use a background image of another size: a level or page of it, turned, or stretched. */
export type BackgroundImageUse = { level: number } | { page: number } | { turned: number } | { scaled: true };

/** The result of the search for a background image, for the user. Paths are for display. */
type PairingOutcome =
  | {
      state: 'paired';
      by: 'record' | 'choice' | 'path';
      path: string;
      backgroundImage: OpenedBackgroundImage;
      stretched: boolean;
    }
  | { state: 'suggested'; path: string; isOther?: true }
  | { state: 'missing'; sameName: number }
  | {
      state: 'other-size';
      path: string;
      backgroundImage: ImageSize;
      masks: ImageSize;
      /** The EXIF orientation that would give the image the masks' size; it isn't applied. */
      orientation?: number;
      /** Number of images in the file that have the masks' size. */
      fitting?: number;
      offers: BackgroundImageOffer[];
    }
  | { state: 'unreadable'; path: string; error: unknown };

/** The user's language, and a function that describes an error in it. */
interface PairingLanguage extends Language {
  describe: (error: unknown) => string;
}

/** What the masks page shows about the background image of an image. */
export function pairingWords(
  { t, locale, describe }: PairingLanguage,
  outcome: PairingOutcome,
): BackgroundImagePairing {
  switch (outcome.state) {
    case 'paired':
      return {
        state: 'paired',
        how: pairedBy(t, outcome.by),
        ...wordedNotes(t, outcome.backgroundImage),
        path: outcome.path,
        ...(outcome.stretched && { stretched: true }),
        ...(outcome.by === 'choice' && { isChosen: true as const }),
      };
    case 'suggested':
      return {
        state: 'suggested',
        how: outcome.isOther
          ? t('Same name and size, but not the file that was uploaded. Use this file?')
          : t('Same name and size. Use this file?'),
        path: outcome.path,
      };
    case 'missing':
      return {
        state: 'missing',
        how:
          outcome.sameName > 0
            ? t('{0} files in the workspace have this name. Select the right one.', outcome.sameName)
            : t('No file in the workspace has this name.'),
      };
    case 'other-size':
      return {
        state: 'unreadable',
        how: otherSizeWords({ t, locale }, outcome),
        path: outcome.path,
        offers: outcome.offers,
        ...(outcome.fitting !== undefined && { severalFit: true as const }),
      };
    case 'unreadable':
      return { state: 'unreadable', how: describe(outcome.error), path: outcome.path };
  }
}

function otherSizeWords(
  { t, locale }: Language,
  { backgroundImage, masks, orientation, fitting }: Extract<PairingOutcome, { state: 'other-size' }>,
): string {
  if (fitting !== undefined)
    return t('{0} images of the file have the size of the masks. Select the right one.', fitting);
  const sides = [backgroundImage.width, backgroundImage.height, masks.width, masks.height].map(side =>
    side.toLocaleString(locale),
  );
  return orientation === undefined
    ? t("The background image is {0} × {1} px, but the masks are {2} × {3} px. It isn't shown.", ...sides)
    : t(
        "The background image is {0} × {1} px as stored, and the masks, {2} × {3} px, are of the image turned as its EXIF orientation says. It isn't shown.",
        ...sides,
      );
}

function wordedNotes(t: Translate, { notes, ...backgroundImage }: OpenedBackgroundImage) {
  return { backgroundImage, notes: notes.map(note => `${reasonWords(t, note)}.`) };
}

function pairedBy(t: Translate, by: 'record' | 'choice' | 'path'): string {
  switch (by) {
    case 'record':
      return t('The uploaded file, unchanged');
    case 'choice':
      return t('Selected by you');
    case 'path':
      return t('The file in the workspace with the same folder, name and size');
  }
}
