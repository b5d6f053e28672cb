import type { Dispatcher } from 'undici';
import { Canceling, type CancelSignal } from '../../base/canceling';
import { steadyNow } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import type { Log } from '../../base/log';
import { reason, codedReason } from '../../base/reasons';
import { delay as realDelay, untilCanceled } from '../../base/waiting';
import { Dispatchers } from './dispatchers';
import { exchange, type ReceivedResponse, type RequestDetails, responseTo } from './exchange';
import type { NetworkSettings } from './networkSettings';
import { networkError } from './requestErrors';
import { retryDelay, retryRule, ServicePause } from './retries';
import type { ServiceHost } from './serviceHost';

const TIMEOUT_MS = 30_000;

export interface TransportOptions {
  /** As `normalizeBaseUrl` returns it. */
  baseUrl: string;
  apiKey: () => Promise<string>;
  network: NetworkSettings;
  log: Log;
  /** Is informed of the service's address. */
  serviceHost?: ServiceHost;
  /** For tests: waits before a retry. */
  delay?: ((milliseconds: number, signal?: CancelSignal) => Promise<void>) | undefined;
  /** For tests: the current time in milliseconds. */
  now?: (() => number) | undefined;
  /** For tests. */
  uploadTimes?: UploadTimes | undefined;
}

export interface JsonRequest<T = unknown> {
  method: 'GET' | 'POST';
  /** Below the base URL; begins with a slash, with ids encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** The subject of the request, for the details of errors. */
  subject?: string;
  /**
   * Picks the needed fields of the JSON, with secrets masked in texts to show. By default the
   * caller receives the whole JSON. Throws `unexpected-response`.
   */
  read?: (json: unknown, secrets: readonly string[]) => T;
  /** Never retried: the caller retries later. */
  once?: boolean;
}

export interface UploadRequest<T = unknown> {
  path: string;
  contentType: string;
  contentLength: number;
  /**
   * Opens a body of exactly `contentLength` bytes. The signal fires when they are no longer needed.
   */
  open(signal: CancelSignal): AsyncIterable<Uint8Array>;
  /** Replaces `open` for a body in memory, sent in one write. Called just before sending. */
  whole?: (() => Buffer) | undefined;
  /** Called when the buffer of `whole` is no longer read; not called if that isn't certain. */
  onWritten?: (() => void) | undefined;
  subject?: string;
  /** See `JsonRequest.read`. */
  read?: (json: unknown) => T;
}

/** A URL with its parts for a request. Computed once for thousands of uploads to the same URL. */
interface Target {
  url: URL;
  origin: string;
  /** With the query. */
  path: string;
}

/** A request to send. */
interface Sending extends RequestDetails {
  target: Target;
  headers: Record<string, string>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Timeout until the response begins, in milliseconds; 0 if only the deadline counts. */
  headersTimeout: number;
  deadline?: CancelSignal;
  onHeaders?: () => void;
  /**
   * Requires a new connection: if the service closed an old one, the request may or may not have
   * arrived.
   */
  fresh: boolean;
}

/**
 * Sends requests to one service and returns the JSON of responses. The key is sent only to the
 * origin of the base URL. Every failure is a CodedError; `details.sent` marks a POST that may have
 * arrived although no response was received.
 */
export class Transport implements Disposable {
  private readonly dispatchers: Dispatchers;
  private readonly delay: NonNullable<TransportOptions['delay']>;
  private readonly pause: ServicePause;
  /** Origins that have responded without TLS. */
  private readonly originsWithoutTls = new Set<string>();
  private lastUpload: { path: string; target: Target } | undefined;

  constructor(private readonly options: TransportOptions) {
    this.dispatchers = new Dispatchers(
      options.network,
      options.log,
      options.serviceHost?.lookup,
      options.now,
    );
    this.delay = options.delay ?? realDelay;
    this.pause = new ServicePause(options.now ?? steadyNow);
  }

  /**
   * Returns the parsed response of a request. Retries it by retryRule. During a pause that the
   * service requested only a POST is sent, as a user caused it.
   */
  async requestJson<T = unknown>(request: JsonRequest<T>, signal?: CancelSignal): Promise<T> {
    if (request.method === 'GET') await this.untilPauseEnds(request, signal);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.requestOnce(request, signal);
      } catch (error) {
        if (isCoded(error)) this.pause.beginAfter(error);
        const wait = request.once ? undefined : retryDelay(request.method, error, attempt);
        if (wait === undefined) throw error;
        await this.delay(wait, signal);
      }
    }
  }

  /**
   * Posts a long body as it is read, without retries. Closes the socket at once when the signal
   * fires or the body throws. Nothing is sent during a pause that the service requested, as the
   * files of an upload would fail one after the other.
   */
  async upload<T = unknown>(request: UploadRequest<T>, signal?: CancelSignal): Promise<T> {
    if (this.pause.remaining > 0) await this.untilPauseEnds(request, signal);
    throwIfCanceled(signal);
    const deadline = new UploadDeadline(this.options.uploadTimes ?? UPLOAD_TIMES);
    try {
      return await (request.whole
        ? this.uploadWhole<T>(request, request.whole(), deadline, signal)
        : this.uploadPieces<T>(request, deadline, signal));
    } catch (error) {
      if (isCoded(error)) this.pause.beginAfter(error);
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  dispose(): void {
    this.dispatchers.dispose();
  }

  /** Sends a body in memory in one write. */
  private uploadWhole<T>(
    request: UploadRequest<T>,
    body: Buffer,
    deadline: UploadDeadline,
    signal: CancelSignal | undefined,
  ): Promise<T> {
    if (request.onWritten) this.dispatchers.bodies.onceWritten(body, request.onWritten);
    deadline.bodySent();
    // undici adds the length of a body in memory.
    return this.sendUpload(request, { 'content-type': request.contentType }, body, deadline, signal);
  }

  private async uploadPieces<T>(
    request: UploadRequest<T>,
    deadline: UploadDeadline,
    signal: CancelSignal | undefined,
  ): Promise<T> {
    const bodyCanceling = new Canceling();
    const end = () => bodyCanceling.abort();
    signal?.addEventListener('abort', end);
    try {
      const headers = {
        'content-type': request.contentType,
        'content-length': String(request.contentLength),
      };
      return await this.sendUpload(
        request,
        headers,
        deadline.watch(request.open(bodyCanceling)),
        deadline,
        signal,
      );
    } catch (error) {
      bodyCanceling.abort();
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  private sendUpload<T>(
    { path, subject, read }: UploadRequest<T>,
    headers: Record<string, string>,
    body: NonNullable<Sending['body']>,
    deadline: UploadDeadline,
    signal: CancelSignal | undefined,
  ): Promise<T> {
    const onHeaders = () => deadline.headersReceived();
    const target = this.uploadTarget(path);
    return this.send(
      {
        method: 'POST',
        target,
        headers,
        body,
        headersTimeout: 0,
        deadline,
        onHeaders,
        fresh: false,
        subject,
        read,
      },
      signal,
    );
  }

  /** Waits for the end of a short pause; during a longer one throws without sending the request. */
  private async untilPauseEnds(
    { subject }: { subject?: string | undefined },
    signal?: CancelSignal,
  ): Promise<void> {
    const { remaining } = this.pause;
    if (remaining > retryRule.MAX_RETRY_AFTER * 1000) throw this.pause.refusal({ subject });
    if (remaining > 0) await this.delay(remaining, signal);
  }

  private async requestOnce<T>(
    { method, path, query = {}, body, subject, read }: JsonRequest<T>,
    signal?: CancelSignal,
  ): Promise<T> {
    const url = this.url(path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const timeout = this.options.network.timeoutMs ?? TIMEOUT_MS;
    return this.send<T>(
      {
        method,
        target: targetOf(url),
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headersTimeout: timeout,
        // Applies however slowly the bytes arrive.
        deadline: AbortSignal.timeout(timeout * 4),
        fresh: method === 'POST',
        subject,
        read,
      },
      signal,
    );
  }

  private url(path: string): URL {
    return new URL(`${this.options.baseUrl}${path}`);
  }

  /** Returns the target of uploads, computed once for all uploads to the same path. */
  private uploadTarget(path: string): Target {
    if (this.lastUpload?.path !== path) this.lastUpload = { path, target: targetOf(this.url(path)) };
    return this.lastUpload.target;
  }

  /**
   * If another window replaces the key during the request, the service refuses the old key, which
   * may not mean that the new key is invalid: a GET is sent again with the new key.
   */
  private async send<T>(sending: Sending, signal: CancelSignal | undefined): Promise<T> {
    throwIfCanceled(signal);
    const key = await untilCanceled(this.options.apiKey(), signal);
    try {
      return await this.sendWith<T>(key, sending, signal);
    } catch (error) {
      if (!isCoded(error, 'invalid-key') || error.details.status === undefined) throw error;
      const currentKey = await untilCanceled(this.options.apiKey(), signal);
      if (currentKey === key) throw error;
      if (sending.method === 'GET') return this.sendWith<T>(currentKey, sending, signal);
      throw new CodedError('bad-request', 'The key that was sent is no longer the key of the account', {
        ...error.details,
        reason: codedReason('key-replaced', 'The API key was replaced in the meantime'),
      });
    }
  }

  private async sendWith<T>(key: string, sending: Sending, signal: CancelSignal | undefined): Promise<T> {
    // Other characters can't be in a header, and the error about them would quote the key.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new CodedError('invalid-key', 'The API key contains characters that no key has');
    const headers = { ...sending.headers, accept: 'application/json', 'x-api-key': key };
    const { target } = sending;
    const response = await responseTo(sending, target.url, key, redirectUrl =>
      this.receive(sending, redirectUrl ? targetOf(redirectUrl) : target, headers, signal),
    );
    return response as T;
  }

  private async receive(
    sending: Sending,
    target: Target,
    headers: Record<string, string>,
    signal: CancelSignal | undefined,
  ): Promise<ReceivedResponse> {
    const { method, body, headersTimeout, deadline, onHeaders, fresh, subject } = sending;
    const startedAt = performance.now();
    try {
      const dispatcher =
        this.dispatchers.ready(target.origin, { fresh }) ??
        (await untilCanceled(this.dispatchers.for(target.url, { fresh }), signal));
      const response = await exchange(
        dispatcher,
        {
          origin: target.origin,
          path: target.path,
          method,
          headers,
          // undici takes async iterables, its types know only those of Node.
          body: (body ?? null) as NonNullable<Dispatcher.DispatchOptions['body']> | null,
          headersTimeout,
          bodyTimeout: this.options.network.timeoutMs ?? TIMEOUT_MS,
        },
        { signal, deadline, onHeaders },
      );
      this.logRequest(method, target, response.status, startedAt);
      if (target.url.protocol === 'http:') this.originsWithoutTls.add(target.origin);
      return response;
    } catch (error) {
      const isPost = method === 'POST';
      const coded = networkError(error, { signal, ...(deadline && { deadline }), isPost, subject });
      this.logRequest(method, target, coded.code, startedAt);
      if (method !== 'GET' || !(await untilCanceled(this.expectsTls(target, coded), signal))) throw coded;
      throw new CodedError('network', coded.message, {
        ...coded.details,
        reason: reason('The host uses https at this address and port, not http'),
      });
    }
  }

  /** Whether a host closed a connection without TLS because it expects TLS. */
  private async expectsTls({ url, origin }: Target, { details }: CodedError): Promise<boolean> {
    if (url.protocol !== 'http:' || details.reason?.code !== 'connection-closed') return false;
    return !this.originsWithoutTls.has(origin) && (await this.dispatchers.leadsToTls(url));
  }

  private logRequest(method: string, { url }: Target, outcome: string | number, startedAt: number): void {
    this.options.log.trace(
      `${method} ${url.pathname} ${outcome} ${Math.round(performance.now() - startedAt)} ms`,
    );
  }
}

function targetOf(url: URL): Target {
  return { url, origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** The longest times that an upload may make no progress, in milliseconds. */
interface UploadTimes {
  /** The service doesn't read the sent bytes. */
  stalled: number;
  /** From the last byte sent to the response's headers; interim responses (1xx) don't count. */
  headers: number;
  /** From the headers to the end of the response. */
  body: number;
}

const UPLOAD_TIMES: UploadTimes = { stalled: 10 * 60_000, headers: 10 * 60_000, body: 2 * 60_000 };

/**
 * Aborts an upload when the service makes no progress. Cheaper per file than an AbortSignal, with
 * one listener.
 */
class UploadDeadline implements Disposable, CancelSignal {
  private hasPassed = false;
  private listener: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The time of the deadline, as performance.now(). */
  private endsAt = Number.POSITIVE_INFINITY;
  /** The timer's interval in milliseconds: restarting it whenever bytes are sent costs more. */
  private readonly checkInterval: number;
  private isResponding = false;

  constructor(private readonly times: UploadTimes) {
    this.checkInterval = Math.min(times.stalled, times.headers, times.body);
  }

  get aborted(): boolean {
    return this.hasPassed;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.listener = listener;
  }

  removeEventListener(): void {
    this.listener = undefined;
  }

  /** The pieces of a body as they are requested; a slow disk doesn't count against the service. */
  async *watch(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of body) {
      this.extend(this.times.stalled);
      yield piece;
      if (!this.isResponding) this.endsAt = Number.POSITIVE_INFINITY;
    }
    this.bodySent();
  }

  bodySent(): void {
    this.extend(this.times.headers);
  }

  /** The response has begun; it may do so before the body was sent. */
  headersReceived(): void {
    this.extend(this.times.body);
    this.isResponding = true;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private extend(milliseconds: number): void {
    if (this.isResponding) return;
    this.endsAt = performance.now() + milliseconds;
    this.timer ??= setTimeout(this.check, this.checkInterval);
  }

  private readonly check = () => {
    const remaining = this.endsAt - performance.now();
    if (remaining > 0) {
      this.timer = setTimeout(this.check, Math.min(remaining, this.checkInterval));
      return;
    }
    this.hasPassed = true;
    this.listener?.();
  };
}
