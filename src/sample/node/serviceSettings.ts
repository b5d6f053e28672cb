import { httpError } from './http/httpError';

/** Settings that can be changed while the service runs; a restart resets them. */
export interface ServiceSettings {
  /** Extra time per image in milliseconds, so that a job's progress can be watched. */
  delayMs: number;
  /** Whether it goes on without windows, as somebody else wants it. */
  stays: boolean;
}

export const DEFAULT_DELAY_MS = 400;

const MAX_MS = 60_000;

/** Validates a time from a client or the command line: whole milliseconds, at most a minute. Throws 400 otherwise. */
export function checkMilliseconds(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_MS) return value;
  throw httpError(400, `${name}: a whole number from 0 to ${MAX_MS} was expected`);
}
