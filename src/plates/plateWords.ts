import type { Translate } from '../words/translate';
import type { PlateGap } from './controls';
import type { SavedPlateNames } from './plateRequests';

/** Why a number of a plate is missing, as a sentence. */
export function gapWords(t: Translate, gap: PlateGap): string {
  switch (gap.kind) {
    case 'few-controls':
      return t(
        'Negative control wells with a value: {0}, positive: {1}. At least {2} of each are needed.',
        gap.negative,
        gap.positive,
        gap.needed,
      );
    case 'equal-means':
      return t('Z′ is missing: both controls have the same mean.');
    case 'equal-medians':
      return t('Robust Z′ is missing: both controls have the same median.');
    case 'no-variance':
      return t('SSMD is missing: the wells of each control have the same value.');
    case 'no-negative':
      return t('Percent of control is missing: no negative control well has a value.');
    case 'negative-mean-0':
      return t('Percent of control is missing: the mean of the negative controls is 0.');
    case 'no-samples':
      return t('Robust z is missing: no well besides the controls has a value.');
    case 'samples-alike':
      return t('Robust z is missing: half or more of the wells besides the controls have the same value.');
  }
}

/** How the columns of saved wells are called; `value` is the name of what they are measured by. */
export function savedPlateNames(t: Translate, value: string): SavedPlateNames {
  return {
    plate: t('Plate'),
    well: t('Well'),
    condition: t('Condition'),
    control: t('Control'),
    negative: t('negative'),
    positive: t('positive'),
    images: t('Images'),
    objects: t('Objects'),
    value,
  };
}

/** The file name proposed for the numbers of plates of a result. */
export function savedPlateName(t: Translate, result: string): string {
  return `${result}-${t('plate')}.csv`;
}
