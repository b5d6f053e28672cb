import type { BackgroundImagePairing } from '../images/backgroundImagePairing';
import type { OpenedBackgroundImage } from '../images/backgroundImageInfo';
import type { MasksSummary } from './masksSummary';
import { formatBytes } from '../words/format';
import { reasonWords } from '../words/reasonWords';
import type { Language, Translate } from '../words/translate';

/** An image file as the masks page lists it: an archive without objects, with an image for each size of the file's pages. */
export function imageSummary(t: Translate, title: string, opened: OpenedBackgroundImage): MasksSummary {
  const { width, height, pages, firstPage } = opened;
  const images = pages.length > 0 ? pages : [{ width, height, page: firstPage }];
  return {
    classes: [],
    images: images.map(({ page, ...size }, index) => ({
      index,
      id: String(page),
      filename: images.length > 1 ? t('{0}, page {1}', title, page + 1) : title,
      ...size,
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
    })),
    notes: [],
  };
}

/** What the page shows of one image of the file, in place of a background image that was found. */
export function imagePairing(
  { t, locale }: Language,
  { notes, ...backgroundImage }: OpenedBackgroundImage,
): BackgroundImagePairing {
  // The others are in the list of images.
  const remaining = notes.filter(({ kind }) => kind !== 'one-image-shown');
  return {
    state: 'paired',
    how: '',
    backgroundImage,
    notes: remaining.map(note => `${reasonWords(t, note)}.`),
    fileSize: formatBytes(locale, backgroundImage.fileSize),
  };
}
