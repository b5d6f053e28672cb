import type { Translate } from './translate';

/** What is being done with a part of a result, for a progress display. */
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
