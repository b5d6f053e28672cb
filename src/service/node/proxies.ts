import { BlockList, isIP } from 'node:net';
import { steadyNow } from '../../base/clock';
import type { Log } from '../../base/log';
import { isLoopbackHost } from './baseUrl';
import type { NetworkSettings } from './networkSettings';

/** The connection to a URL: a proxy with this address, no proxy, or the proxy of the system. */
type ProxyChoice = { address: string } | 'none' | 'system';

/**
 * Chooses the proxy for a URL: the setting, else HTTPS_PROXY or HTTP_PROXY, else the system's. No
 * proxy for hosts in `noProxy` and NO_PROXY, nor for loopback unless one of them contains
 * `<-loopback>`.
 */
export function chooseProxy(url: URL, settings: NetworkSettings): ProxyChoice {
  if (settings.useProxy === false) return 'none';
  const environment = settings.environment ?? process.env;
  const variable = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()] || '';
  const proxy =
    settings.proxy?.trim() || variable(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy').trim();
  const exceptions = [...(settings.noProxy ?? []), ...variable('no_proxy').split(/[\s,]+/)]
    .map(entry => entry.trim().toLowerCase())
    .filter(entry => entry !== '');
  if (isLoopbackHost(url.hostname) && !exceptions.includes('<-loopback>')) return 'none';
  if (exceptions.some(entry => matches(entry, url))) return 'none';
  if (!proxy) return 'system';
  return { address: /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}` };
}

/**
 * Entries: `host`, `.domain`, `*.domain`, `host:port`, an address, or a range such as 10.0.0.0/8.
 */
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

/**
 * Milliseconds that a proxy is cached: a laptop may change networks. VS Code caches proxies too.
 */
const MAX_AGE = 30_000;

/** Maximum wait for the system in milliseconds: looking for a proxy script can take long. */
const MAX_WAIT = 15_000;

interface CachedProxy {
  proxy: string | undefined;
  /** Time of expiry. */
  expiresAt: number;
}

/** Caches the system's proxies by origin. A proxy is looked up when a request needs it. */
export class SystemProxies {
  private readonly cachedProxies = new Map<string, CachedProxy>();
  private readonly lookups = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly lookUp: NonNullable<NetworkSettings['systemProxy']>,
    private readonly log: Log,
    private readonly now: () => number = steadyNow,
    private readonly maxWait = MAX_WAIT,
  ) {}

  /** Whether the cached proxy of an origin has not expired. */
  isFresh(origin: string): boolean {
    return (this.cachedProxies.get(origin)?.expiresAt ?? -Infinity) > this.now();
  }

  /**
   * The proxy's address for an origin, or undefined for a direct connection. If the system fails or
   * takes too long, the previous answer is returned.
   */
  for(origin: string): Promise<string | undefined> {
    if (this.isFresh(origin)) return Promise.resolve(this.cachedProxies.get(origin)?.proxy);
    const running = this.lookups.get(origin);
    if (running) return running;
    const lookup = this.lookUpNow(origin).finally(() => this.lookups.delete(origin));
    this.lookups.set(origin, lookup);
    return lookup;
  }

  private async lookUpNow(origin: string): Promise<string | undefined> {
    let proxy: string | undefined;
    try {
      proxy = (await this.withinTime(this.lookUp(origin))) || undefined;
    } catch (error) {
      proxy = this.cachedProxies.get(origin)?.proxy;
      this.log.warn(`The system's proxy could not be found out: ${String(error)}`);
    }
    const isNew = this.cachedProxies.get(origin)?.proxy !== proxy;
    this.cachedProxies.set(origin, { proxy, expiresAt: this.now() + MAX_AGE });
    if (isNew)
      this.log.info(
        `The system's proxy is ${proxy === undefined ? 'none' : withoutCredentials(proxy)} for ${origin}`,
      );
    return proxy;
  }

  private withinTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${this.maxWait} ms`)), this.maxWait);
      work.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }
}

/** An address without its user name and password. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return 'unusable';
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
