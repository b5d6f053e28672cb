import type { Reason } from '../base/reasons';
import { apiReasons } from './reasons/api';
import { appReasons } from './reasons/app';
import { csvReasons } from './reasons/csv';
import { engineReasons } from './reasons/engine';
import { exportReasons } from './reasons/export';
import { jobReasons } from './reasons/jobs';
import { maskReasons } from './reasons/masks';
import { otherReasons } from './reasons/other';
import { rasterReasons } from './reasons/raster';
import type { ReasonSentences } from './reasons/reasonSentences';
import { tableReasons } from './reasons/table';
import { uploadReasons } from './reasons/uploads';
import type { Translate } from './translate';

/** A kind without a sentence is a compile error here. */
const sentences: ReasonSentences = {
  ...otherReasons,
  ...apiReasons,
  ...uploadReasons,
  ...jobReasons,
  ...csvReasons,
  ...rasterReasons,
  ...maskReasons,
  ...tableReasons,
  ...exportReasons,
  ...engineReasons,
  ...appReasons,
};

/** A reason as a sentence of its own, with its period. Quoted texts may already have their punctuation. */
export function reasonSentence(t: Translate, reason: Reason): string {
  const words = reasonWords(t, reason).trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A reason as a sentence without its period. */
export function reasonWords(t: Translate, { kind, args }: Reason): string {
  const sentence = sentences[kind] as (t: Translate, ...args: readonly unknown[]) => string;
  return sentence(t, ...args);
}

/** Whether a value that comes from elsewhere is a reason with a sentence. */
export function isReason(value: unknown): value is Reason {
  const { kind, args } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof kind === 'string' &&
    Object.hasOwn(sentences, kind) &&
    Array.isArray(args) &&
    args.every(arg => typeof arg === 'string' || typeof arg === 'number')
  );
}
