import { CodedError } from '../../../base/errors';
import { reason, type Reason } from '../../../base/reasons';
import { isLoopbackHost } from '../baseUrl';
import type { ServiceHost } from '../network/serviceHost';

/**
 * The URL of a result link, or of where `from` redirects to. Throws `unexpected-response` unless it is https, or http to this
 * machine or to a service that uses http itself; if it leads from https to http; or into a private network that the service is not on.
 */
export function resultLinkUrl(link: string, service: ServiceHost, from?: URL): URL {
  let url: URL;
  try {
    url = new URL(link, from);
  } catch {
    throw unusableLink(reason('link-not-an-address'));
  }
  const mayBePlain = isLoopbackHost(url.hostname) || (service.isPlain && url.hostname === service.name);
  const isPlain = url.protocol === 'http:' && mayBePlain && from?.protocol !== 'https:';
  if (url.protocol !== 'https:' && !isPlain) throw unusableLink(reason('link-not-https'));
  service.checkLinkHost(url.hostname);
  return url;
}

/** The error for a link that cannot be used; the link is a secret and not named. */
export function unusableLink(why: Reason): CodedError {
  return new CodedError('unexpected-response', 'The link to the result cannot be used', { reason: why });
}
