import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { connect } from 'node:tls';
import { Worker } from 'node:worker_threads';
import type { buildConnector, Dispatcher } from 'undici';
import type { Disposable } from '../../base/disposable';
import { canceledError, CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import { whenReleased } from '../../base/node/diskErrors';
import { reason } from '../../base/reasons';
import type { NetworkSettings } from './networkSettings';
import { chooseProxy, SystemProxies } from './proxies';

const CONNECT_TIMEOUT = 15_000;

/** SOCKS 5 in all common spellings of the protocol; the proxy resolves names. */
const SOCKS = /^socks(5h?)?:/i;

/** undici's connection pools for the settings: direct or by proxy, created on first use. */
export class Dispatchers implements Disposable {
  /** Pools by proxy. */
  private readonly poolsByProxy = new Map<string, Promise<Dispatcher>>();
  /** Pools by origin, as finding a proxy is slow; separate for requests on new connections. */
  private readonly routes = { reused: new Map<string, Dispatcher>(), fresh: new Map<string, Dispatcher>() };
  /** Reports when bodies were written; only for direct connections. */
  readonly bodies = new WrittenBodies();
  private cachedSecureContext: Promise<tls.SecureContext> | undefined;
  private readonly system: SystemProxies | undefined;
  /** Origins with a proxy from the system's settings. */
  private readonly originsBySystem = new Set<string>();
  private disposed = false;

  /** `lookup` resolves hosts of direct connections; a proxy resolves names itself. */
  constructor(
    private readonly settings: NetworkSettings,
    private readonly log: Log,
    private readonly lookup?: LookupFunction,
    now?: () => number,
  ) {
    this.system = settings.systemProxy && new SystemProxies(settings.systemProxy, log, now);
  }

  /**
   * The pool for a request to `url`. With `fresh`, connections aren't reused: if the service had
   * closed one in the meantime, nobody would know whether it got the request. Throws `network` if
   * the proxy can't be used.
   */
  async for(url: URL, { fresh }: { fresh: boolean }): Promise<Dispatcher> {
    const dispatcher = this.ready(url.origin, { fresh }) ?? (await this.poolFor(url, fresh));
    if (this.disposed) throw canceledError();
    this.routes[fresh ? 'fresh' : 'reused'].set(url.origin, dispatcher);
    return dispatcher;
  }

  /** Like `for`, if it was called for the origin and the system's proxy is still valid. */
  ready(origin: string, { fresh }: { fresh: boolean }): Dispatcher | undefined {
    if (this.originsBySystem.has(origin) && !this.system?.isFresh(origin)) return undefined;
    return this.routes[fresh ? 'fresh' : 'reused'].get(origin);
  }

  /** Whether a directly connected host speaks TLS at the port of `url`. */
  async leadsToTls(url: URL): Promise<boolean> {
    return (await this.proxyFor(url)) === undefined && (await speaksTls(url, this.lookup));
  }

  dispose(): void {
    this.disposed = true;
    for (const creation of this.poolsByProxy.values()) {
      creation.then(
        dispatcher => dispatcher.destroy(),
        () => undefined,
      );
    }
    this.poolsByProxy.clear();
    this.routes.fresh.clear();
    this.routes.reused.clear();
  }

  private async poolFor(url: URL, fresh: boolean): Promise<Dispatcher> {
    const proxy = await this.proxyFor(url);
    const secure = url.protocol === 'https:' || proxy?.startsWith('https:') === true;
    const key = JSON.stringify([proxy, secure, fresh]);
    return onceFor(this.poolsByProxy, key, () => this.createPool(proxy, secure, fresh));
  }

  private async proxyFor({ origin }: URL): Promise<string | undefined> {
    const choice = chooseProxy(new URL(origin), this.settings);
    if (choice === 'none') return undefined;
    if (choice !== 'system') return choice.address;
    if (!this.system) return undefined;
    this.originsBySystem.add(origin);
    return this.system.for(origin);
  }

  private async createPool(proxy: string | undefined, secure: boolean, fresh: boolean): Promise<Dispatcher> {
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
        // undici's SOCKS client would start TLS before it connects to the proxy, and reuse
        // connections.
        const socks = new ProxyAgent({
          ...options,
          uri,
          requestTls: connect,
          connectTimeout: connect.timeout,
        });
        return fresh
          ? socks.compose(dispatch => (request, handler) => dispatch({ ...request, reset: true }, handler))
          : socks;
      }
      return new ProxyAgent({
        ...options,
        uri: proxy,
        requestTls: connect,
        proxyTls: connect,
        factory: (
          origin,
          { connect: connectOfAgent, ...poolOptions }: { connect?: buildConnector.connector },
        ) =>
          new Pool(origin, {
            ...poolOptions,
            ...options,
            ...(connectOfAgent && { connect: withoutContinue(connectOfAgent) }),
          }),
        // Otherwise a proxy that accepts a connection and then stays silent would hold a request
        // for five minutes.
        clientFactory: (origin, poolOptions) =>
          new Pool(origin, { ...poolOptions, headersTimeout: connect.timeout, bodyTimeout: connect.timeout }),
      });
    } catch {
      // The address may contain a password, so the error doesn't quote it.
      throw new CodedError('network', 'The proxy cannot be used', {
        reason: reason("The proxy address isn't valid"),
      });
    }
  }

  /** A context for all connections: creating one with hundreds of certificates takes 15 ms. */
  private secureContext(): Promise<tls.SecureContext> {
    // OpenSSL ignores unreadable certificates.
    this.cachedSecureContext ??= trustedCertificates(this.settings, this.log).then(ca =>
      tls.createSecureContext({ ca }),
    );
    return this.cachedSecureContext;
  }
}

/** A connector that also skips interim responses. */
function withoutContinue(connect: buildConnector.connector): buildConnector.connector {
  return (target, done) =>
    connect(target, (...[error, socket]) => (error ? done(error, null) : done(null, skipContinue(socket))));
}

/** The cached value for a key; failures aren't cached. */
function onceFor<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let cached = cache.get(key);
  if (!cached) {
    cached = make();
    cache.set(key, cached);
    cached.catch(() => cache.delete(key));
  }
  return cached;
}

type Undici = (typeof import('undici'))['default'];

/**
 * Where undici stores the process's dispatcher of `fetch`: the current slot, and that of older
 * versions.
 */
const dispatcherSlots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/**
 * Loads undici, but keeps the process's global dispatcher: all extensions share one process, and
 * the editor's dispatcher in these slots knows the proxy. Loading replaces it, so it is restored.
 */
export async function loadUndici(): Promise<Undici> {
  const slots = globalThis as unknown as Record<symbol, unknown>;
  const dispatchersBefore = dispatcherSlots.map(slot => slots[slot]);
  // A module of a split bundle only has the default export of CommonJS.
  const { default: undici } = await import('undici');
  dispatcherSlots.forEach((slot, index) => {
    // Only our copy's dispatcher is replaced: other code may have set its own in the meantime.
    const current = slots[slot];
    const isOurs = current instanceof undici.Agent || current instanceof undici.Dispatcher1Wrapper;
    if (isOurs && current !== dispatchersBefore[index]) slots[slot] = dispatchersBefore[index];
  });
  return undici;
}

/** In a thread, as reading the system's store is synchronous and can take a second. */
const readSystemStore = `
  const { parentPort } = require('node:worker_threads');
  parentPort.postMessage(require('node:tls').getCACertificates('system'));
`;

/**
 * All certificates (PEM) that may sign a host's: those of Node, of the system unless turned off, of
 * NODE_EXTRA_CA_CERTS and of the settings. Unreadable ones are left out, and logged.
 */
export async function trustedCertificates(
  settings: NetworkSettings,
  log: Log,
  readSystem = systemCertificates,
): Promise<string[]> {
  const extraFile = (settings.environment ?? process.env)['NODE_EXTRA_CA_CERTS'];
  const [system, extra] = await Promise.all([
    settings.systemCertificates === false ? [] : readSystem(log),
    extraFile ? readExtra(extraFile, log) : [],
  ]);
  const bundled = hasStores() ? tls.getCACertificates('default') : tls.rootCertificates;
  return [...new Set([...bundled, ...system, ...extra, ...(settings.extraCertificates ?? [])])];
}

/** `tls.getCACertificates` exists since Node 22.15; an Electron may lack it. */
function hasStores(): boolean {
  return typeof (tls as Partial<typeof tls>).getCACertificates === 'function';
}

async function readExtra(file: string, log: Log): Promise<string[]> {
  try {
    return [await whenReleased(() => readFile(file, 'utf8'))];
  } catch (error) {
    log.warn(`The certificates of NODE_EXTRA_CA_CERTS cannot be read: ${String(error)}`);
    return [];
  }
}

function systemCertificates(log: Log): Promise<string[]> {
  if (!hasStores()) return Promise.resolve([]);
  return new Promise(resolve => {
    const thread = new Worker(readSystemStore, { eval: true });
    thread.once('message', (certificates: string[]) => resolve(certificates));
    thread.once('error', error => {
      log.warn(`The system's certificates cannot be read: ${String(error)}`);
      resolve([]);
    });
    thread.once('exit', () => resolve([]));
  });
}

const START = 'HTTP/1.1 100';
const END = '\r\n\r\n';
/** Position of the status's first digit in a status line, and that digit of a 1xx status. */
const STATUS_DIGIT_INDEX = 9;
const DIGIT_ONE = 0x31;
/** Maximum length of a 1xx response; the parser rejects longer ones. */
const MAX_BYTES = 16 * 1024;

/**
 * Removes "100 Continue" from the data of a socket. Some services send it unrequested; clients must
 * skip it (RFC 9110, 15.2), but undici closes the connection. Only looks before a response, never
 * within a body.
 */
export function skipContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: readonly [unknown, unknown, unknown]) => boolean;
  let isBeforeResponse = true;
  let incomplete: Buffer | undefined;
  socket.write = (chunk: unknown, encoding?: unknown, callback?: unknown) => {
    isBeforeResponse = true;
    return write(chunk, encoding, callback);
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (!isBeforeResponse || chunk === null) return chunk;
      const bytes: Buffer = incomplete ? Buffer.concat([incomplete, chunk]) : chunk;
      incomplete = undefined;
      const remaining = afterContinue(bytes);
      if (remaining === undefined) incomplete = bytes;
      else if (remaining.length > 0) {
        isBeforeResponse = false;
        return remaining;
      }
    }
  };
  return socket;
}

/** The bytes after leading 100 responses; undefined if one of them is incomplete. */
function afterContinue(bytes: Buffer): Buffer | undefined {
  // The usual case, without creating strings.
  if (bytes.length > STATUS_DIGIT_INDEX && bytes[STATUS_DIGIT_INDEX] !== DIGIT_ONE) return bytes;
  let remaining = bytes;
  for (;;) {
    const start = remaining.subarray(0, START.length).toString('latin1');
    if (remaining.length === 0 || !(start === START || START.startsWith(start))) return remaining;
    const end = start === START ? remaining.indexOf(END) : -1;
    if (end < 0) return remaining.length > MAX_BYTES ? remaining : undefined;
    remaining = remaining.subarray(end + END.length);
  }
}

/** The `write` of a stream; the second argument is optional. */
type Write = (
  chunk: Uint8Array | string,
  encoding?: BufferEncoding | OnWritten,
  callback?: OnWritten,
) => boolean;

type OnWritten = (error?: Error | null) => void;

/** Reports when the system has taken a whole body, so that its memory is free; undici doesn't. */
class WrittenBodies {
  private readonly listeners = new WeakMap<object, () => void>();

  /** Calls `listener` once a body was written to a watched socket in one piece; maybe never. */
  onceWritten(body: Buffer, listener: () => void): void {
    this.listeners.set(body, listener);
  }

  watch(socket: Socket): Socket {
    const write = socket.write.bind(socket) as Write;
    const watched: Write = (chunk, encoding, callback) => {
      const listener = typeof chunk === 'object' && !encoding ? this.listeners.get(chunk) : undefined;
      if (!listener) return write(chunk, encoding, callback);
      return write(chunk, error => {
        if (!error) listener();
      });
    };
    socket.write = watched;
    return socket;
  }
}

/** Milliseconds that a host may take to complete a handshake. */
const HANDSHAKE_TIMEOUT = 5000;

/**
 * Whether a host speaks TLS at a URL's port. Most TLS hosts close a plain-text connection without a
 * response. Only sends a handshake, and accepts any certificate.
 */
function speaksTls({ hostname, port }: URL, lookup?: LookupFunction): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise(resolve => {
    const socket = connect({
      host,
      port: Number(port || 80),
      rejectUnauthorized: false,
      timeout: HANDSHAKE_TIMEOUT,
      ...(isIP(host) === 0 && { servername: host }),
      ...(lookup && { lookup }),
    });
    const end = (isTls: boolean) => {
      resolve(isTls);
      socket.destroy();
    };
    socket.on('secureConnect', () => end(true));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => end(false));
  });
}
