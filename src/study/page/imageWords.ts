import { type PageWords, t } from '../../pages/page/l10n';
import type { ImageRole } from '../imageColumns';
import { isCoded } from '../../base/errors';
import type { ImageColumnsModel } from './imageColumnsModel';

/** Inputs of each part of the image columns. */
export interface ImagePartProps {
  images: ImageColumnsModel;
}

/** Names of the roles of columns; `none` for a column without one. */
export const roleNames: Readonly<Record<ImageRole | 'none', PageWords>> = {
  none: t.later({ message: 'None', comment: 'No role of a column' }),
  condition: t.later({ message: 'Condition', comment: 'Experimental condition, such as a treatment' }),
  replicate: t.later({ message: 'Replicate', comment: 'Repetition of an experiment' }),
  technicalReplicate: t.later('Technical Replicate'),
  plate: t.later({ message: 'Plate', comment: 'Microplate with wells' }),
  well: t.later({ message: 'Well', comment: 'Of a microplate' }),
};

/** Describes a failure; failures in the panel come with a text. */
export function failureWords(error: unknown): string {
  const why = isCoded(error) ? error.details.reason : undefined;
  if (why) return t.reason(why);
  return error instanceof Error ? error.message : String(error);
}
