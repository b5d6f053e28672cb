import { t } from '../../pages/page/l10n';
import type { EqualSpellings } from '../conditionRequests';

/** Values that are listed. */
const MAX_LISTED = 20;

/** Which values are written in several ways and count as one. */
export function alikeWords(alike: readonly EqualSpellings[]): string[] {
  const quoted = (value: string) => t('“{0}”', value);
  return alike
    .slice(0, MAX_LISTED)
    .map(({ value, others }) => t('Counted as {0}: {1}.', quoted(value), others.map(quoted).join(', ')));
}
