import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { Exchanged } from './exchange';
import { withoutKey, type Requested } from './readResponse';

const MAX_REDIRECTS = 3;

/** Where a response redirects to, as its header says; undefined if it doesn't. */
export function redirectOf({ status, headers }: Exchanged): string | undefined {
  const { location } = headers;
  return status >= 300 && status < 400 && typeof location === 'string' ? location : undefined;
}

/** The URL that a GET is redirected to. The key is never sent to another origin, and nothing is posted twice. */
export function redirected(
  { method, subject }: Requested,
  {
    first,
    from,
    location,
    redirects,
    key,
  }: { first: URL; from: URL; location: string; redirects: number; key: string },
): URL {
  const details = { ...(subject !== undefined && { subject }), ...(method === 'POST' && { sent: true }) };
  let to: URL | undefined;
  try {
    to = new URL(location, from);
  } catch {
    to = undefined;
  }
  if (method === 'GET' && to && to.origin === first.origin && !to.username && redirects < MAX_REDIRECTS)
    return to;
  const isTooMuch = method === 'GET' && redirects >= MAX_REDIRECTS;
  const why =
    to && to.origin !== first.origin
      ? reason('redirected-elsewhere', withoutKey(to.origin, key))
      : reason(isTooMuch ? 'redirected-too-often' : 'redirected');
  throw new CodedError('unexpected-response', 'The service redirects where it cannot be followed', {
    ...details,
    reason: why,
  });
}
