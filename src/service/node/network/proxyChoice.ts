import { BlockList, isIP } from 'node:net';
import { isLoopbackHost } from '../baseUrl';
import type { NetworkSettings } from './networkSettings';

/** What leads to a URL: the proxy of this address, no proxy, or what the system says. */
export type ProxyChoice = { address: string } | 'none' | 'system';

/**
 * The choice of a proxy for a URL: the setting, else HTTPS_PROXY or HTTP_PROXY, else the system's; none for hosts of
 * `noProxy` and NO_PROXY, nor for loopback unless one of them lists `<-loopback>`.
 */
export function chooseProxy(url: URL, settings: NetworkSettings): ProxyChoice {
  if (settings.useProxy === false) return 'none';
  const environment = settings.environment ?? process.env;
  const either = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()] || '';
  const proxy =
    settings.proxy?.trim() || either(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy').trim();
  const exceptions = [...(settings.noProxy ?? []), ...either('no_proxy').split(/[\s,]+/)]
    .map(entry => entry.trim().toLowerCase())
    .filter(entry => entry !== '');
  if (isLoopbackHost(url.hostname) && !exceptions.includes('<-loopback>')) return 'none';
  if (exceptions.some(entry => matches(entry, url))) return 'none';
  if (!proxy) return 'system';
  return { address: /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}` };
}

/** `host`, `.domain`, `*.domain`, `host:port`, an address or a range of addresses such as 10.0.0.0/8. */
function matches(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (entry.includes('/')) return inRange(host, entry);
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  const plain = isIP(entry) === 0 ? /^([^:]*)(?::(\d+))?$/.exec(entry) : null;
  const [, name = entry, port] = bracketed ?? plain ?? [];
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

function inRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const version = isIP(host);
  const length = Number(bits);
  const fits = /^\d{1,3}$/.test(bits) && length <= (version === 4 ? 32 : 128);
  if (version === 0 || isIP(network) !== version || !fits) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, length, family);
  return list.check(host, family);
}
