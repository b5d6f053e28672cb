import { httpError } from './httpError';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A list response; `count` is the size of this page, as in the service (docs/service.md). */
export interface ListResponse<T> {
  results: T[];
  count: number;
}

/**
 * The part of an ordered list that a request's `limit` (20 unless given, capped at 100) and `startingAfter` (an ID)
 * select. Throws 400 when the limit isn't a positive whole number or no entry has the cursor's ID.
 */
export function pageOf<T extends { id: string }>(entries: readonly T[], query: URLSearchParams): T[] {
  const limit = readLimit(query.get('limit'));
  const cursor = query.get('startingAfter');
  let start = 0;
  if (cursor) {
    start = entries.findIndex(entry => entry.id === cursor) + 1;
    if (start === 0) throw httpError(400, `startingAfter: no entry of this list has the ID "${cursor}"`);
  }
  return entries.slice(start, start + limit);
}

export function listResponse<T>(results: T[]): ListResponse<T> {
  return { results, count: results.length };
}

function readLimit(text: string | null): number {
  if (text === null || text === '') return DEFAULT_LIMIT;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < 1) {
    throw httpError(400, `limit: a whole number from 1 was expected, not "${text}"`);
  }
  return Math.min(Number(text), MAX_LIMIT);
}
