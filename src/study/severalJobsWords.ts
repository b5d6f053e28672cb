import type { Translate } from '../words/translate';

/** Says that paths have an image in several jobs, each of which counts. */
export function severalJobsWords(t: Translate, paths: number): string {
  return paths === 1
    ? t('1 image path is in several jobs, and counts once for each.')
    : t('{0} image paths are in several jobs, and count once for each.', paths);
}
