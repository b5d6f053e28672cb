import type { Log } from '../../../base/log';
import { steadyNow } from '../../../base/steadyNow';
import type { NetworkSettings } from './networkSettings';

/** How long an answer counts: after it a laptop may be in another network. VS Code has a cache of its own. Milliseconds. */
const FRESH = 30_000;

/** A system that looks for a proxy script in a network without one can take long. Milliseconds. */
const MAX_WAIT = 15_000;

interface Known {
  proxy: string | undefined;
  /** When the system is to be asked again. */
  until: number;
}

/** The system's proxies, by origin. Nothing is looked up before a request needs it, nor by itself later. */
export class SystemProxies {
  private readonly known = new Map<string, Known>();
  private readonly lookups = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly lookUp: NonNullable<NetworkSettings['systemProxy']>,
    private readonly log: Log,
    private readonly now: () => number = steadyNow,
    private readonly maxWait = MAX_WAIT,
  ) {}

  /** Whether what was said of an origin still counts. */
  isFresh(origin: string): boolean {
    return (this.known.get(origin)?.until ?? -Infinity) > this.now();
  }

  /**
   * The proxy's address for an origin, or undefined for a direct connection. Where the system fails to say, or takes too long,
   * what it said the last time counts.
   */
  for(origin: string): Promise<string | undefined> {
    if (this.isFresh(origin)) return Promise.resolve(this.known.get(origin)?.proxy);
    const running = this.lookups.get(origin);
    if (running) return running;
    const lookup = this.ask(origin).finally(() => this.lookups.delete(origin));
    this.lookups.set(origin, lookup);
    return lookup;
  }

  private async ask(origin: string): Promise<string | undefined> {
    let proxy: string | undefined;
    try {
      proxy = (await this.withinTime(this.lookUp(origin))) || undefined;
    } catch (error) {
      proxy = this.known.get(origin)?.proxy;
      this.log.warn(`The system's proxy could not be found out: ${String(error)}`);
    }
    const isNew = this.known.get(origin)?.proxy !== proxy;
    this.known.set(origin, { proxy, until: this.now() + FRESH });
    if (isNew)
      this.log.info(`The system's proxy is ${proxy === undefined ? 'none' : shown(proxy)} for ${origin}`);
    return proxy;
  }

  private withinTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${this.maxWait} ms`)), this.maxWait);
      work.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }
}

/** An address without the user name and password that it may hold. */
function shown(address: string): string {
  if (!URL.canParse(address)) return 'unusable';
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
