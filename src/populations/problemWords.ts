import type { Translate } from '../words/translate';
import type { PopulationProblem } from './population';

/** Why a table can't have a population, and how to fix that. */
export function problemWords(t: Translate, problem: PopulationProblem): string {
  switch (problem.kind) {
    case 'name-taken':
      return t('Another population has this name. Rename one of them.');
    case 'no-parent':
      return t('Its parent "{0}" is gone. Move it to another parent.', problem.name);
    case 'no-population':
      return t('The population "{0}" that its gate names is gone.', problem.name);
    case 'circle':
      return t('It is a part of itself: {0}. Move it to another parent.', problem.names.join(' → '));
    case 'no-column':
      return t('The table has no column "{0}".', problem.name);
    case 'several-columns':
      return t('The table has several columns "{0}".', problem.name);
    case 'no-numbers':
      return t('The column "{0}" has texts, and the gate needs numbers.', problem.name);
    case 'no-image-column':
      return t('Its threshold is of each image, and no column of the table names images.');
    case 'range-reversed':
      return t('Its range begins above its end.');
    case 'needs':
      return t('The population "{0}", which it needs, has a problem.', problem.name);
  }
}
