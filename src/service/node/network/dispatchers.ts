import type { LookupFunction } from 'node:net';
import * as tls from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import type { Disposable } from '../../../base/disposable';
import { CodedError, canceledError } from '../../../base/errors';
import type { Log } from '../../../base/log';
import { reason } from '../../../base/reasons';
import { trustedCertificates } from './certificates';
import { skipContinue } from './interimResponses';
import type { NetworkSettings } from './networkSettings';
import { chooseProxy } from './proxyChoice';
import { SystemProxies } from './systemProxies';
import { speaksTls } from './tlsProbe';
import { loadUndici } from './undiciLoader';
import { WrittenBodies } from './writtenBodies';

const CONNECT_TIMEOUT = 15_000;

/** Of SOCKS 5 in any of the ways that programs write it; the proxy resolves names. */
const SOCKS = /^socks(5h?)?:/i;

/** undici's connection pools for the settings: direct or by proxy, made when first needed, gone with `dispose`. */
export class Dispatchers implements Disposable {
  /** By proxy. */
  private readonly made = new Map<string, Promise<Dispatcher>>();
  /** By origin, as it takes long to work out which proxy leads there; for requests on new connections apart. */
  private readonly routes = { kept: new Map<string, Dispatcher>(), fresh: new Map<string, Dispatcher>() };
  /** What is sent directly; a proxy's sockets are not watched. */
  readonly bodies = new WrittenBodies();
  private secure: Promise<tls.SecureContext> | undefined;
  private readonly system: SystemProxies | undefined;
  /** The origins that the system's proxy settings lead to. */
  private readonly bySystem = new Set<string>();
  private disposed = false;

  /** `lookup` resolves the names of hosts that are reached directly; a proxy resolves names itself. */
  constructor(
    private readonly settings: NetworkSettings,
    private readonly log: Log,
    private readonly lookup?: LookupFunction,
    now?: () => number,
  ) {
    this.system = settings.systemProxy && new SystemProxies(settings.systemProxy, log, now);
  }

  /**
   * The pool to send a request for `url` through. `fresh` never reuses a connection: one that the service closed
   * meanwhile would leave open whether it got the request. Throws `network` if the proxy cannot be used.
   */
  async for(url: URL, { fresh }: { fresh: boolean }): Promise<Dispatcher> {
    const dispatcher = this.ready(url.origin, { fresh }) ?? (await this.route(url, fresh));
    if (this.disposed) throw canceledError();
    this.routes[fresh ? 'fresh' : 'kept'].set(url.origin, dispatcher);
    return dispatcher;
  }

  /** As `for`, if it was called for the origin before, and the system's proxy can't be another one by now. */
  ready(origin: string, { fresh }: { fresh: boolean }): Dispatcher | undefined {
    if (this.bySystem.has(origin) && !this.system?.isFresh(origin)) return undefined;
    return this.routes[fresh ? 'fresh' : 'kept'].get(origin);
  }

  /** Whether a host that is reached directly speaks TLS at the port of `url`. */
  async leadsToTls(url: URL): Promise<boolean> {
    return (await this.proxyFor(url)) === undefined && (await speaksTls(url, this.lookup));
  }

  dispose(): void {
    this.disposed = true;
    for (const making of this.made.values()) {
      making.then(
        dispatcher => dispatcher.destroy(),
        () => undefined,
      );
    }
    this.made.clear();
    this.routes.fresh.clear();
    this.routes.kept.clear();
  }

  private async route(url: URL, fresh: boolean): Promise<Dispatcher> {
    const proxy = await this.proxyFor(url);
    const secure = url.protocol === 'https:' || proxy?.startsWith('https:') === true;
    const key = JSON.stringify([proxy, secure, fresh]);
    return onceFor(this.made, key, () => this.make(proxy, secure, fresh));
  }

  private async proxyFor({ origin }: URL): Promise<string | undefined> {
    const choice = chooseProxy(new URL(origin), this.settings);
    if (choice === 'none') return undefined;
    if (choice !== 'system') return choice.address;
    if (!this.system) return undefined;
    this.bySystem.add(origin);
    return this.system.for(origin);
  }

  private async make(proxy: string | undefined, secure: boolean, fresh: boolean): Promise<Dispatcher> {
    const { Agent, Pool, ProxyAgent, buildConnector } = await loadUndici();
    const connect = {
      timeout: this.settings.timeoutMs ?? CONNECT_TIMEOUT,
      rejectUnauthorized: this.settings.strictSSL !== false,
      ...(secure && { secureContext: await this.secureContext() }),
    };
    const options = { allowH2: false, ...(fresh && { pipelining: 0 }) };
    if (this.disposed) throw canceledError();
    if (proxy === undefined) {
      const open = buildConnector({
        ...connect,
        allowH2: false,
        ...(this.lookup && { lookup: this.lookup }),
      });
      return new Agent({
        ...options,
        connect: (target, done) =>
          open(target, (error, socket) =>
            error ? done(error, null) : done(null, this.bodies.watch(skipContinue(socket))),
          ),
      });
    }
    try {
      if (SOCKS.test(proxy)) {
        const uri = proxy.replace(SOCKS, 'socks5:');
        // Its own TLS would begin before the proxy is spoken to, and its pools reuse every connection.
        const socks = new ProxyAgent({
          ...options,
          uri,
          requestTls: connect,
          connectTimeout: connect.timeout,
        });
        return fresh
          ? socks.compose(dispatch => (request, on) => dispatch({ ...request, reset: true }, on))
          : socks;
      }
      return new ProxyAgent({
        ...options,
        uri: proxy,
        requestTls: connect,
        proxyTls: connect,
        factory: (origin, poolOptions: { connect?: buildConnector.connector }) =>
          new Pool(origin, { ...poolOptions, ...options, connect: withoutContinue(poolOptions.connect) }),
        // A proxy that accepts and then says nothing would else hold a request for five minutes.
        clientFactory: (origin, poolOptions) =>
          new Pool(origin, { ...poolOptions, headersTimeout: connect.timeout, bodyTimeout: connect.timeout }),
      });
    } catch {
      // The address may hold a password: it is not repeated.
      throw new CodedError('network', 'The proxy cannot be used', {
        reason: reason('proxy-address-invalid'),
      });
    }
  }

  /** One context for all connections: building it from hundreds of certificates takes about 15 ms each time. */
  private secureContext(): Promise<tls.SecureContext> {
    // OpenSSL passes over certificates that it cannot read.
    this.secure ??= trustedCertificates(this.settings, this.log).then(ca => tls.createSecureContext({ ca }));
    return this.secure;
  }
}

/** Makes the same connections, with interim responses skipped. */
function withoutContinue(
  connect: buildConnector.connector | undefined,
): buildConnector.connector | undefined {
  return (
    connect &&
    ((target, done) =>
      connect(target, (...[error, socket]) => (error ? done(error, null) : done(null, skipContinue(socket)))))
  );
}

/** What was made for a key; a failure is forgotten. */
function onceFor<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let making = made.get(key);
  if (!making) {
    making = make();
    made.set(key, making);
    making.catch(() => made.delete(key));
  }
  return making;
}
