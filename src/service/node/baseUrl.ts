import { BlockList, isIP } from 'node:net';
import { CodedError } from '../../base/errors';
import { reason, type Reason, codedReason } from '../../base/reasons';

/** Whether a URL's hostname (IPv6 with or without brackets) always means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const version = isIP(host);
  if (version === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The base URL as stored: scheme, host and path without a trailing slash or `/api/external`. A
 * missing scheme means https, or http for this machine. Throws `bad-request` if the text isn't an
 * address, contains credentials, a query or a fragment, or if the key would be sent unencrypted
 * over a network to a host that isn't in `plainHosts`.
 */
export function normalizeBaseUrl(text: string, plainHosts: ReadonlySet<string> = new Set()): string {
  const trimmed = text.trim();
  const url = parse(trimmed);
  if (url.username || url.password)
    throw invalid(reason("The address can't contain a user name or password"));
  if (/[?#]/.test(trimmed)) throw invalid(reason('The address can\'t contain "?" or "#"'));
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname) && !plainHosts.has(url.host)) {
    throw invalid(
      codedReason(
        'address-unencrypted',
        'The address must begin with https://, or the API key would be sent unencrypted',
      ),
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/+api\/external$/i, '');
  return `${url.origin}${path.replace(/\/+$/, '')}`;
}

/** The host of an address, with its port. */
export function hostOfAddress(text: string): string {
  return parse(text.trim()).host;
}

function parse(text: string): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (hasScheme && !/^https?:\/\//i.test(text)) throw invalid(reason('The address must begin with https://'));
  const withScheme = hasScheme ? text : `https://${text}`;
  // A URL parser accepts many mistakes: "https:///host", "https://a b", backslashes.
  if (!/^https?:\/\/[^/\\]/i.test(withScheme) || /[\s\\]/.test(text))
    throw invalid(reason("This isn't an address"));
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    throw invalid(reason("This isn't an address"));
  }
  return hasScheme || !isLoopbackHost(url.hostname) ? url : new URL(`http://${text}`);
}

function invalid(why: Reason): CodedError {
  return new CodedError('bad-request', 'The base URL is not valid', { reason: why });
}
