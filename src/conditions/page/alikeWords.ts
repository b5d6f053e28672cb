import type { TableText } from '../../pages/page/pageText';
import type { Alike } from '../comparisonRequests';

/** Values that are listed. */
const MAX_LISTED = 20;

/** Which values are written in several ways and count as one. */
export function alikeWords(alike: readonly Alike[], text: TableText): string[] {
  const quoted = (value: string) => text.get('compareQuoted', value);
  return alike
    .slice(0, MAX_LISTED)
    .map(({ value, others }) => text.get('compareAlike', quoted(value), others.map(quoted).join(', ')));
}
