import type { Log } from '../base/log';

/** A log that hides the keys it was told about. */
export interface MaskedLog extends Log {
  /** Masks a key in every later line. */
  addSecret(secret: string): void;
}
