import type { Translate } from './translate';

/** What is being done with a part of a result, for a progress display. */
export function phaseWords(t: Translate, phase: 'downloading' | 'reading' | 'exporting'): string {
  switch (phase) {
    case 'downloading':
      return t('Downloading…');
    case 'reading':
      return t('Reading…');
    case 'exporting':
      return t('Writing…');
  }
}
