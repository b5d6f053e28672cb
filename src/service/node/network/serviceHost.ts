import * as dns from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { CodedError } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import { isPrivateAddress, isPrivateHost } from './privateAddresses';

/*
 * A service may send its users' machines to any link. One on the internet must not make them send requests into the networks
 * that they are in, so what its links may name depends on where the service itself is.
 */

/** The host of a service: whether it is on a private network, and name lookups that keep its result links to what that allows. */
export class ServiceHost {
  readonly name: string;
  /** Whether it is reached without encryption. */
  readonly isPlain: boolean;
  private resolvedPrivate = false;
  private resolvedPublic = false;

  constructor(
    baseUrl: string,
    private readonly system: LookupFunction = dns.lookup,
  ) {
    const { hostname, protocol } = new URL(baseUrl);
    this.name = hostname;
    this.isPlain = protocol === 'http:';
  }

  /** By its name or address alone, or by all that its name has resolved to so far: a service cannot become private later. */
  get isPrivate(): boolean {
    return isPrivateHost(this.name) || (this.resolvedPrivate && !this.resolvedPublic);
  }

  /** Resolves the service's own name, and notes what it is. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, options, callback, addresses => {
      if (addresses.some(({ address }) => isPrivateAddress(address))) this.resolvedPrivate = true;
      if (addresses.some(({ address }) => !isPrivateAddress(address))) this.resolvedPublic = true;
      return addresses;
    });
  };

  /**
   * Resolves the name in a result link. A connection is made to what comes out of here, so a name cannot be checked with one
   * address and used with another. Fails with `unexpected-response` where only private addresses are left that it may not use.
   */
  readonly lookupForLink: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, options, callback, addresses => {
      const allowed = this.isPrivate
        ? addresses
        : addresses.filter(({ address }) => !isPrivateAddress(address));
      if (addresses.length > 0 && allowed.length === 0) throw linkToPrivateAddress();
      return allowed;
    });
  };

  /** Throws `unexpected-response` if a result link may not name this host, as far as that shows without a lookup. */
  checkLinkHost(hostname: string): void {
    if (!this.isPrivate && isPrivateHost(hostname)) throw linkToPrivateAddress();
  }

  private resolve(
    hostname: string,
    options: dns.LookupOptions,
    callback: Parameters<LookupFunction>[2],
    use: (addresses: LookupAddress[]) => LookupAddress[],
  ): void {
    this.system(hostname, { ...options, all: true }, (error, found) => {
      if (error) {
        callback(error, '');
        return;
      }
      const addresses =
        typeof found === 'string' ? [{ address: found, family: found.includes(':') ? 6 : 4 }] : found;
      let used: LookupAddress[];
      try {
        used = use(addresses);
      } catch (refused) {
        callback(refused as NodeJS.ErrnoException, '');
        return;
      }
      const [first] = used;
      if (options.all || !first) callback(null, used);
      else callback(null, first.address, first.family);
    });
  }
}

function linkToPrivateAddress(): CodedError {
  return new CodedError('unexpected-response', 'The link to the result leads into a private network', {
    reason: reason('link-to-private-address'),
  });
}
