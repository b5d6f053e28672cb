import { type PageWords, t } from '../../pages/page/l10n';
import type { ImageRole } from '../imageColumns';
import { isCoded } from '../../base/errors';
import type { Reason } from '../../base/reasons';
import type { PageText } from '../../pages/page/pageText';
import type { ImageTextKey } from '../../pages/tableTexts';
import type { ImageColumnsModel } from './imageColumnsModel';

export type ImageText = PageText<ImageTextKey>;

/** What each part of the image columns is a function of. */
export interface ImagePartProps {
  images: ImageColumnsModel;
  text: ImageText;
}

type WordedReason = Extract<ImageTextKey, `why.${string}`>;

/** What the roles of columns are called; `none` for a column without one. */
export const roleNames: Readonly<Record<ImageRole | 'none', PageWords>> = {
  none: t.later('None'),
  condition: t.later('Condition'),
  replicate: t.later('Replicate'),
  technicalReplicate: t.later('Technical Replicate'),
  plate: t.later('Plate'),
  well: t.later('Well'),
};

/** A reason that the page found, in words. */
export function reasonInWords(text: ImageText, { kind, args }: Reason): string {
  return text.get(`why.${kind}` as WordedReason, ...args);
}

/** A failure in words: the panel has found those of its own. */
export function failureWords(text: ImageText, error: unknown): string {
  const why = isCoded(error) ? error.details.reason : undefined;
  const worded = why && reasonInWords(text, why);
  if (worded !== undefined && worded !== `why.${why?.kind}`) return worded;
  return error instanceof Error ? error.message : String(error);
}
