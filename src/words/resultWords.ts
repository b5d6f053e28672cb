import type { Reason } from '../base/reasons';
import { nameInSentence } from './inertText';
import { reasonWords } from './reasonWords';
import type { Translate } from './translate';

/** The phase of work on a part of a result, for a progress display. */
export function phaseWords(
  t: Translate,
  phase: 'downloading' | 'reading' | 'measuring' | 'exporting',
): string {
  switch (phase) {
    case 'downloading':
      return t('Downloading…');
    case 'reading':
      return t('Reading…');
    case 'measuring':
      return t('Measuring…');
    case 'exporting':
      return t('Writing…');
  }
}

/** The message about images for which a job has no result. */
export function withoutResultText(
  t: Translate,
  { name: fullName, missing, total }: { name: string; missing: number; total: number },
): string {
  const name = nameInSentence(fullName);
  return missing === 1
    ? t(
        '1 of {0} images of "{1}" gave no result: it is neither in the aggregate table nor in the masks.',
        total,
        name,
      )
    : t(
        '{0} of {1} images of "{2}" gave no result: they are neither in the aggregate table nor in the masks.',
        missing,
        total,
        name,
      );
}

/** A job's damaged images: a single image with its reason, or the count and the first name. */
export function damagedImagesWords(
  t: Translate,
  images: readonly { name: string; why: Reason | undefined }[],
): string {
  const [first, ...others] = images;
  if (!first) return '';
  const name = nameInSentence(first.name);
  if (others.length > 0) return t('{0} of its images are damaged, such as "{1}".', images.length, name);
  return first.why
    ? t('Its image "{0}" is damaged: {1}.', name, reasonWords(t, first.why))
    : t('Its image "{0}" is damaged.', name);
}

/** The phase of a comparison, for a progress display. */
export function comparingWords(t: Translate, phase: 'downloading' | 'reading' | 'comparing'): string {
  return phase === 'comparing' ? t('Comparing…') : phaseWords(t, phase);
}
