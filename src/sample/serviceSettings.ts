import { httpError } from './httpError';

/** What can be changed while the service runs; not kept over a restart. */
export interface ServiceSettings {
  /** Extra time per image in milliseconds, so that a person can watch a job's progress. */
  delayMs: number;
}

export const DEFAULT_DELAY_MS = 400;

const MAX_DELAY_MS = 60_000;

/** A delay as a client or the command line gives it: whole milliseconds, at most a minute. 400 otherwise. */
export function checkDelay(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DELAY_MS)
    return value;
  throw httpError(400, `delayMs: a whole number from 0 to ${MAX_DELAY_MS} was expected`);
}
