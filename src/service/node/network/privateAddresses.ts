import { BlockList, isIP, isIPv6 } from 'node:net';

/*
 * Addresses that mean something only on this machine or its networks, or that no host has (the special-purpose registries of
 * IANA, RFC 6890). 169.254.169.254, where clouds hand out credentials, is among the link-local ones.
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
  // Unspecified, loopback, and IPv4 addresses written in the oldest way.
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

/** Names that no public DNS gives an address (RFC 6761, RFC 6762, RFC 8375 and the ICANN's reservation of "internal"). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Answers for IPv4 addresses inside ::ffff:0:0/96 too. */
const privateAddresses = new BlockList();
for (const [network, bits] of PRIVATE_IPV4) {
  privateAddresses.addSubnet(network, bits, 'ipv4');
  // The same hosts as seen through NAT64 (64:ff9b::/96) and 6to4 (2002::/16).
  privateAddresses.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
  privateAddresses.addSubnet(`2002:${hexGroups(network)}::`, 16 + bits, 'ipv6');
}
for (const [network, bits] of PRIVATE_IPV6) privateAddresses.addSubnet(network, bits, 'ipv6');

/** Whether an IP address is loopback, link-local, private, or reserved for something else than public hosts. */
export function isPrivateAddress(address: string): boolean {
  const [withoutZone = ''] = address.split('%');
  return privateAddresses.check(withoutZone, isIPv6(withoutZone) ? 'ipv6' : 'ipv4');
}

/**
 * Whether a URL's hostname (IPv6 with or without brackets) says by itself that the host is private: a private address, a name
 * kept for private networks, or one without a dot. What other names resolve to is not known here.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return isIP(host) === 0 ? !host.includes('.') || PRIVATE_NAME.test(host) : isPrivateAddress(host);
}

/** 10.0.0.1 as a00:1. */
function hexGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
