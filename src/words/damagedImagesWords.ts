import type { Reason } from '../base/reasons';
import { nameInSentence } from './inertText';
import { reasonWords } from './reasonWords';
import type { Translate } from './translate';

/** Which images of a job are damaged: the one with its reason, or how many there are and the first of them. */
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
