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

/** Of SOCKS 5 in any of the ways that programs write it; the proxy resolves names. */
const SOCKS = /^socks(5h?)?:/i;

/** undici's connection pools for the settings: direct or by proxy, created on first use. */
export class Dispatchers implements Disposable {
  /** By proxy. */
  private readonly made = new Map<string, Promise<Dispatcher>>();
  /** By origin, since finding its proxy takes long; apart for requests on new connections. */
  private readonly routes = { kept: new Map<string, Dispatcher>(), fresh: new Map<string, Dispatcher>() };
  /** What is sent directly; a proxy's sockets are not watched. */
  readonly bodies = new WrittenBodies();
  private secure: Promise<tls.SecureContext> | undefined;
  private readonly system: SystemProxies | undefined;
  /** The origins that the system's proxy settings lead to. */
  private readonly bySystem = new Set<string>();
  private disposed = false;

  /** `lookup` resolves hosts that are reached directly; a proxy resolves names itself. */
  constructor(
    private readonly settings: NetworkSettings,
    private readonly log: Log,
    private readonly lookup?: LookupFunction,
    now?: () => number,
  ) {
    this.system = settings.systemProxy && new SystemProxies(settings.systemProxy, log, now);
  }

  /**
   * The pool to send a request for `url` through. `fresh` never reuses a connection: one that the
   * service closed meanwhile would leave open whether it got the request. Throws `network` if the
   * proxy cannot be used.
   */
  async for(url: URL, { fresh }: { fresh: boolean }): Promise<Dispatcher> {
    const dispatcher = this.ready(url.origin, { fresh }) ?? (await this.route(url, fresh));
    if (this.disposed) throw canceledError();
    this.routes[fresh ? 'fresh' : 'kept'].set(url.origin, dispatcher);
    return dispatcher;
  }

  /** As `for`, if it was called for the origin and the system's proxy can't have changed since. */
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
        // Its own TLS would begin before the proxy is spoken to, and its pools reuse every
        // connection.
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
        factory: (
          origin,
          { connect: connectOfAgent, ...poolOptions }: { connect?: buildConnector.connector },
        ) =>
          new Pool(origin, {
            ...poolOptions,
            ...options,
            ...(connectOfAgent && { connect: withoutContinue(connectOfAgent) }),
          }),
        // A proxy that accepts and then says nothing would else hold a request for five minutes.
        clientFactory: (origin, poolOptions) =>
          new Pool(origin, { ...poolOptions, headersTimeout: connect.timeout, bodyTimeout: connect.timeout }),
      });
    } catch {
      // The address may hold a password: it is not repeated.
      throw new CodedError('network', 'The proxy cannot be used', {
        reason: reason("The proxy address isn't valid"),
      });
    }
  }

  /** One context for all connections: building one from hundreds of certificates takes 15 ms. */
  private secureContext(): Promise<tls.SecureContext> {
    // OpenSSL passes over certificates that it cannot read.
    this.secure ??= trustedCertificates(this.settings, this.log).then(ca => tls.createSecureContext({ ca }));
    return this.secure;
  }
}

/** Makes the same connections, with interim responses skipped. */
function withoutContinue(connect: buildConnector.connector): buildConnector.connector {
  return (target, done) =>
    connect(target, (...[error, socket]) => (error ? done(error, null) : done(null, skipContinue(socket))));
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

type Undici = (typeof import('undici'))['default'];

/** Where undici keeps the process's dispatcher of `fetch`: today's slot and older versions'. */
const dispatcherSlots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/**
 * Loads undici without its taking over the process's global dispatcher: all extensions share one
 * process, and the editor's own dispatcher in these slots is what knows the proxy. What loading put
 * there is replaced by what was there.
 */
export async function loadUndici(): Promise<Undici> {
  const slots = globalThis as unknown as Record<symbol, unknown>;
  const before = dispatcherSlots.map(slot => slots[slot]);
  // A part of a split bundle has no other exports of CommonJS than this one.
  const { default: undici } = await import('undici');
  dispatcherSlots.forEach((slot, index) => {
    // Only our own copy's dispatcher is undone: other code may have set its own meanwhile.
    const now = slots[slot];
    const ours = now instanceof undici.Agent || now instanceof undici.Dispatcher1Wrapper;
    if (ours && now !== before[index]) slots[slot] = before[index];
  });
  return undici;
}

/** Runs in a thread: reading the system's store is synchronous and can take a second. */
const readSystemStore = `
  const { parentPort } = require('node:worker_threads');
  parentPort.postMessage(require('node:tls').getCACertificates('system'));
`;

/**
 * Every certificate (PEM) that may vouch for a host: Node's own, the system's unless they are off,
 * those of NODE_EXTRA_CA_CERTS, and the settings'. What cannot be read is left out with a line in
 * the log.
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

/** `tls.getCACertificates` came with Node 22.15; an Electron may leave it out. */
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
/** Where a status line has the first digit of the status, and what it is in START. */
const DIGIT_AT = 9;
const ONE = 0x31;
/** A longer one is left to the parser, which refuses it. */
const MAX_BYTES = 16 * 1024;

/**
 * Hides "100 Continue" from who reads the socket. Some services send it unrequested; a client must
 * be able to skip it (RFC 9110, 15.2), but undici closes the connection. Looked for only before a
 * response, never within a body.
 */
export function skipContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: readonly [unknown, unknown, unknown]) => boolean;
  let isBeforeResponse = true;
  let held: Buffer | undefined;
  socket.write = (chunk: unknown, encoding?: unknown, callback?: unknown) => {
    isBeforeResponse = true;
    return write(chunk, encoding, callback);
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (!isBeforeResponse || chunk === null) return chunk;
      const bytes: Buffer = held ? Buffer.concat([held, chunk]) : chunk;
      held = undefined;
      const rest = afterContinue(bytes);
      if (rest === undefined) held = bytes;
      else if (rest.length > 0) {
        isBeforeResponse = false;
        return rest;
      }
    }
  };
  return socket;
}

/** The bytes after the leading 100 responses; undefined if one of them hasn't ended yet. */
function afterContinue(bytes: Buffer): Buffer | undefined {
  // Nearly always: seen without making texts.
  if (bytes.length > DIGIT_AT && bytes[DIGIT_AT] !== ONE) return bytes;
  let rest = bytes;
  for (;;) {
    const start = rest.subarray(0, START.length).toString('latin1');
    if (rest.length === 0 || !(start === START || START.startsWith(start))) return rest;
    const end = start === START ? rest.indexOf(END) : -1;
    if (end < 0) return rest.length > MAX_BYTES ? rest : undefined;
    rest = rest.subarray(end + END.length);
  }
}

/** As a stream's, whose second argument may be left out. */
type Write = (
  chunk: Uint8Array | string,
  encoding?: BufferEncoding | OnWritten,
  callback?: OnWritten,
) => boolean;

type OnWritten = (error?: Error | null) => void;

/** Reports when the system has all of a body, so that its memory is free. undici doesn't. */
class WrittenBodies {
  private readonly waiting = new WeakMap<object, () => void>();

  /** Calls `listener` once a body was written to a watched socket in one piece, if ever. */
  onceWritten(body: Buffer, listener: () => void): void {
    this.waiting.set(body, listener);
  }

  watch(socket: Socket): Socket {
    const write = socket.write.bind(socket) as Write;
    const watched: Write = (chunk, encoding, callback) => {
      const listener = typeof chunk === 'object' && !encoding ? this.waiting.get(chunk) : undefined;
      if (!listener) return write(chunk, encoding, callback);
      return write(chunk, error => {
        if (!error) listener();
      });
    };
    socket.write = watched;
    return socket;
  }
}

/** How long a host may take to complete a handshake. Milliseconds. */
const TIMEOUT = 5000;

/**
 * Whether a host speaks TLS at a URL's port. Most hosts that do close a plain-text connection
 * without a word. Sends only a handshake and accepts any certificate.
 */
function speaksTls({ hostname, port }: URL, lookup?: LookupFunction): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise(resolve => {
    const socket = connect({
      host,
      port: Number(port || 80),
      rejectUnauthorized: false,
      timeout: TIMEOUT,
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
