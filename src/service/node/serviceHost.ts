import * as dns from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

/*
 * The links in a service's responses may lead to any host. A service on the internet must not make
 * users' machines send requests into their private networks, so the allowed hosts of links depend
 * on the host of the service.
 */

/**
 * The host of a service: whether it is private, and lookups that restrict the hosts of result
 * links.
 */
export class ServiceHost {
  readonly name: string;
  /** Whether the connection is not encrypted. */
  readonly isPlain: boolean;
  private resolvedPrivate = false;
  private resolvedPublic = false;

  constructor(
    baseUrl: string,
    private readonly systemLookup: LookupFunction = dns.lookup,
  ) {
    const { hostname, protocol } = new URL(baseUrl);
    this.name = hostname;
    this.isPlain = protocol === 'http:';
  }

  /**
   * Whether the host is private, by its name or address, or because its name has resolved to
   * private addresses only. A host that was public once stays public.
   */
  get isPrivate(): boolean {
    return isPrivateHost(this.name) || (this.resolvedPrivate && !this.resolvedPublic);
  }

  /** Resolves the name of the service, and records whether the addresses are private. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, options, callback, addresses => {
      if (addresses.some(({ address }) => isPrivateAddress(address))) this.resolvedPrivate = true;
      if (addresses.some(({ address }) => !isPrivateAddress(address))) this.resolvedPublic = true;
      return addresses;
    });
  };

  /**
   * Resolves the name in a result link. Connections use the resulting address, so a name can't be
   * checked with one address and used with another. Fails with `unexpected-response` if all
   * addresses are private and not allowed.
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

  /** Throws `unexpected-response` if a result link may not lead to this host. Looks nothing up. */
  checkLinkHost(hostname: string): void {
    if (!this.isPrivate && isPrivateHost(hostname)) throw linkToPrivateAddress();
  }

  private resolve(
    hostname: string,
    options: dns.LookupOptions,
    callback: Parameters<LookupFunction>[2],
    select: (addresses: LookupAddress[]) => LookupAddress[],
  ): void {
    this.systemLookup(hostname, { ...options, all: true }, (error, resolved) => {
      if (error) {
        callback(error, '');
        return;
      }
      const addresses =
        typeof resolved === 'string'
          ? [{ address: resolved, family: resolved.includes(':') ? 6 : 4 }]
          : resolved;
      let selected: LookupAddress[];
      try {
        selected = select(addresses);
      } catch (refused) {
        callback(refused as NodeJS.ErrnoException, '');
        return;
      }
      const [first] = selected;
      if (options.all || !first) callback(null, selected);
      else callback(null, first.address, first.family);
    });
  }
}

function linkToPrivateAddress(): CodedError {
  return new CodedError('unexpected-response', 'The link to the result leads into a private network', {
    reason: reason("The link leads into a private network that the service isn't on"),
  });
}

/*
 * Addresses that are only valid on this machine or its networks, or that no host has (IANA's
 * special-purpose registries, RFC 6890). The link-local ones include 169.254.169.254, where clouds
 * provide credentials.
 */

const PRIVATE_IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const PRIVATE_IPV6: readonly (readonly [network: string, bits: number])[] = [
  // The unspecified address, loopback, and IPv4 addresses in the oldest notation.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

/** Names without public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's reserved "internal"). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Also matches IPv4 addresses inside ::ffff:0:0/96. */
const privateAddresses = new BlockList();
for (const [network, bits] of PRIVATE_IPV4) {
  privateAddresses.addSubnet(network, bits, 'ipv4');
  // The same addresses in NAT64 (64:ff9b::/96) and 6to4 (2002::/16).
  privateAddresses.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
  privateAddresses.addSubnet(`2002:${hexGroups(network)}::`, 16 + bits, 'ipv6');
}
for (const [network, bits] of PRIVATE_IPV6) privateAddresses.addSubnet(network, bits, 'ipv6');

/** Whether an IP address is loopback, link-local, private, or otherwise not public. */
export function isPrivateAddress(address: string): boolean {
  const [withoutZone = ''] = address.split('%');
  return privateAddresses.check(withoutZone, isIPv6(withoutZone) ? 'ipv6' : 'ipv4');
}

/**
 * Whether a hostname in a URL (IPv6 with or without brackets) is certainly private: a private
 * address, a name reserved for private networks, or a name without a dot. Other names may also
 * resolve to private addresses.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return isIP(host) === 0 ? !host.includes('.') || PRIVATE_NAME.test(host) : isPrivateAddress(host);
}

/** For example 10.0.0.1 as a00:1. */
function hexGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
