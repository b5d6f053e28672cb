import type { PageText } from '../pageText';

/** The grid's own words that a screen reader may hear, by its locale keys. */
const SPOKEN: Record<string, string> = {
  ariaSortableColumn: 'sortHint',
};

/** Words for the grid: ours where we have them, else none rather than English ones. */
export function gridText(text: PageText, key: string, fallback: string): string {
  const ours = SPOKEN[key];
  if (ours) return text.get(ours);
  return key.startsWith('aria') ? '' : fallback;
}
