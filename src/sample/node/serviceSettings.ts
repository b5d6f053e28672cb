import { httpError } from './http/httpError';

/** Settings that can be changed while the service runs; a restart resets them. */
export interface ServiceSettings {
  /** Extra time per image in milliseconds, so that a job's progress can be watched. */
  delayMs: number;
}

export const DEFAULT_DELAY_MS = 400;

const MAX_DELAY_MS = 60_000;

/** Validates a delay from a client or the command line: whole milliseconds, at most a minute. Throws 400 otherwise. */
export function checkDelay(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DELAY_MS)
    return value;
  throw httpError(400, `delayMs: a whole number from 0 to ${MAX_DELAY_MS} was expected`);
}
