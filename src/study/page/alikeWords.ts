import { t } from '../../pages/page/l10n';
import type { EqualSpellings } from '../conditionRequests';

/** Maximum number of listed values. */
const MAX_LISTED = 20;

/** Describes values with different spellings that count as one value. */
export function alikeWords(alike: readonly EqualSpellings[]): string[] {
  const quoted = (value: string) => t('“{0}”', value);
  return alike
    .slice(0, MAX_LISTED)
    .map(({ value, others }) => t('Counted as {0}: {1}.', quoted(value), others.map(quoted).join(', ')));
}
