import { fromPlainError } from '../base/errors';
import type { ArchiveImage, ArchiveSummary, MasksSummary, ShownMaskImage } from './masksSummary';
import { errorWords } from '../words/errorWords';
import { reasonSentence, reasonWords } from '../words/reasonWords';
import type { Translate } from '../words/translate';

/** The summary of an archive with its notes, reasons and failures in the reader's language. */
export function wordedSummary(t: Translate, summary: ArchiveSummary): MasksSummary {
  return {
    ...summary,
    notes: summary.notes.map(note => reasonSentence(t, note)),
    images: wordedImages(t, summary.images),
  };
}

/** Images of an archive with their reasons and failures in the reader's language. */
export function wordedImages(t: Translate, images: readonly ArchiveImage[]): ShownMaskImage[] {
  return images.map(({ failure, unreadable, ...image }) => ({
    ...image,
    unreadable: unreadable.map(({ key, reason }) => ({ key, reason: reasonWords(t, reason) })),
    ...(failure && { failure: { ...failure, message: errorWords(t, fromPlainError(failure)) } }),
  }));
}
