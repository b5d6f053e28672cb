import { nameInSentence } from './inertText';
import type { Translate } from './translate';

/** The message about images of a job that gave no result. */
export function withoutResultText(
  t: Translate,
  { name: whole, missing, all }: { name: string; missing: number; all: number },
): string {
  const name = nameInSentence(whole);
  return missing === 1
    ? t(
        '1 of {0} images of "{1}" gave no result: it is neither in the aggregate table nor in the masks.',
        all,
        name,
      )
    : t(
        '{0} of {1} images of "{2}" gave no result: they are neither in the aggregate table nor in the masks.',
        missing,
        all,
        name,
      );
}
