import type { Translate } from '../words/translate';
import type { ComparedTable } from './conditionRequests';

/** Describes the effects of thresholds per image on a comparison. */
export function byImageWords(t: Translate, byImage: NonNullable<ComparedTable['byImage']>): string {
  const names = byImage.populations.join(', ');
  return byImage.kind === 'fixed'
    ? t(
        '{0}: the threshold of each image makes this share about the same in all images, whatever the condition.',
        names,
      )
    : t('{0}: thresholds of each image remove differences between images.', names);
}
