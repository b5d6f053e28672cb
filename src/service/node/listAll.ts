import type { PageQuery } from './client';
import { collectAll, Pager } from './pager';
import type { Page } from '../wire';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

/** The `limit` of each request. The largest that the service accepts isn't documented. */
const MAX_PAGE = 100;

/** All pages of a list, or `limit` entries. Throws `unexpected-response` for an endless list. */
export async function listAll<T extends { id: string }>(
  limit: number | undefined,
  list: (query: PageQuery, signal: AbortSignal | undefined) => Promise<Page<T>>,
): Promise<{ results: T[] }> {
  const pager = new Pager<T>((startingAfter, signal) =>
    list({ ...(startingAfter && { startingAfter }), limit: Math.min(limit ?? MAX_PAGE, MAX_PAGE) }, signal),
  );
  const results = await collectAll(pager, limit);
  if (pager.cut && results.length < (limit ?? Number.POSITIVE_INFINITY)) {
    throw new CodedError('unexpected-response', 'The list does not end', {
      reason: reason('The list has more than {0} entries', results.length),
    });
  }
  return { results };
}
