import type { ImageSize, OpenedBackgroundImage } from './backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImagePairing } from './backgroundImagePairing';
import { reasonWords } from '../words/reasonWords';
import type { Language, Translate } from '../words/translate';

/** The outcome of the search for a background image, as far as it is shown to the user. Paths are for display. */
export type PairingOutcome =
  | {
      state: 'paired';
      by: 'record' | 'choice' | 'path';
      path: string;
      backgroundImage: OpenedBackgroundImage;
      stretched: boolean;
    }
  | { state: 'suggested'; path: string }
  | { state: 'missing'; sameName: number }
  | {
      state: 'other-size';
      path: string;
      backgroundImage: ImageSize;
      masks: ImageSize;
      offers: BackgroundImageOffer[];
    }
  | { state: 'unreadable'; path: string; error: unknown };

/** The language, and the words for an error. */
export interface PairingLanguage extends Language {
  describe: (error: unknown) => string;
}

/** What the masks page shows about the background image of an image. */
export function pairingWords(
  { t, locale, describe }: PairingLanguage,
  found: PairingOutcome,
): BackgroundImagePairing {
  switch (found.state) {
    case 'paired':
      return {
        state: 'paired',
        how: pairedBy(t, found.by),
        ...wordedNotes(t, found.backgroundImage),
        path: found.path,
        ...(found.stretched && { stretched: true }),
      };
    case 'suggested':
      return {
        state: 'suggested',
        how: t('Same name and size. Use this file?'),
        path: found.path,
      };
    case 'missing':
      return {
        state: 'missing',
        how:
          found.sameName > 0
            ? t('{0} files in the workspace have this name. Select the right one.', found.sameName)
            : t('No file in the workspace has this name.'),
      };
    case 'other-size':
      return {
        state: 'unreadable',
        how: t(
          "The background image is {0} × {1} px, but the masks are {2} × {3} px. It isn't shown.",
          ...[
            found.backgroundImage.width,
            found.backgroundImage.height,
            found.masks.width,
            found.masks.height,
          ].map(side => side.toLocaleString(locale)),
        ),
        path: found.path,
        offers: found.offers,
      };
    case 'unreadable':
      return { state: 'unreadable', how: describe(found.error), path: found.path };
  }
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
