import type { Dispatcher } from 'undici';
import { delay as realDelay } from '../base/delay';
import type { Disposable } from '../base/disposable';
import { CodedError, isCoded, throwIfCancelled } from '../base/errors';
import type { Log } from '../base/log';
import { untilCancelled } from '../base/untilCancelled';
import { readBounded } from './boundedBody';
import { Dispatchers } from './dispatchers';
import { networkError } from './networkErrors';
import type { NetworkSettings } from './networkSettings';
import { wordsOfBody } from './serviceWords';
import { errorForStatus, retryAfterSeconds } from './statusErrors';

export type { NetworkSettings } from './networkSettings';

const LARGEST_ANSWER = 16 * 1024 * 1024;
const LARGEST_COMPLAINT = 64 * 1024;
const TIMEOUT = 30_000;
/** An upload's answer may take long: the service stores the file first. Also how long it may refuse to take more bytes. */
const UPLOAD_TIMEOUT = 10 * 60_000;
const REDIRECTS = 3;
const REPEATS = 2;
const LONGEST_PAUSE = 30;

export interface TransportOptions {
  /** As `normaliseBaseUrl` returns it. */
  baseUrl: string;
  apiKey: () => Promise<string>;
  network: NetworkSettings;
  log: Log;
  /** For tests: how to wait between repeats. */
  delay?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface JsonRequest {
  method: 'GET' | 'POST';
  /** Below the base URL, begins with a slash, ids already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** What the request is about, for the error's details. */
  subject?: string;
}

export interface UploadRequest {
  path: string;
  contentType: string;
  contentLength: number;
  /** Exactly `contentLength` bytes; the signal fires when they are no longer wanted. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
  subject?: string;
}

interface Sending {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  timeout: number;
  deadline?: AbortSignal;
  /** A connection of its own, for a request whose fate must not be in doubt. */
  fresh: boolean;
  subject?: string | undefined;
}

/**
 * Sends requests to one service and returns what its JSON says. The key goes to the origin of the base URL and nowhere
 * else. Every failure is a CodedError; `details.sent` marks a POST that may have arrived although its answer did not.
 */
export class Transport implements Disposable {
  private readonly dispatchers: Dispatchers;
  private readonly delay: NonNullable<TransportOptions['delay']>;

  constructor(private readonly options: TransportOptions) {
    this.dispatchers = new Dispatchers(options.network, options.log);
    this.delay = options.delay ?? realDelay;
  }

  /** The parsed answer to a request. A GET is repeated at most twice after a passing failure, a POST never. */
  async requestJson(request: JsonRequest, signal?: AbortSignal): Promise<unknown> {
    for (let repeats = 0; ; repeats++) {
      try {
        return await this.ask(request, signal);
      } catch (error) {
        const pause = request.method === 'GET' && repeats < REPEATS ? pauseAfter(error, repeats) : undefined;
        if (pause === undefined) throw error;
        await this.delay(pause, signal);
      }
    }
  }

  /** Posts a long body as it comes. The socket is closed at once when the signal fires or the body throws. */
  async upload(request: UploadRequest, signal?: AbortSignal): Promise<unknown> {
    const over = new AbortController();
    const wanted = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    try {
      return await this.send(
        {
          method: 'POST',
          url: this.url(request.path),
          headers: { 'content-type': request.contentType, 'content-length': String(request.contentLength) },
          body: request.open(wanted),
          timeout: UPLOAD_TIMEOUT,
          fresh: false,
          subject: request.subject,
        },
        signal,
      );
    } finally {
      over.abort();
    }
  }

  dispose(): void {
    this.dispatchers.dispose();
  }

  private async ask(
    { method, path, query = {}, body, subject }: JsonRequest,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const url = this.url(path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const timeout = this.options.network.timeoutMs ?? TIMEOUT;
    return this.send(
      {
        method,
        url,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeout,
        // However slowly the bytes trickle in.
        deadline: AbortSignal.timeout(timeout * 4),
        fresh: method === 'POST',
        subject,
      },
      signal,
    );
  }

  private url(path: string): URL {
    return new URL(`${this.options.baseUrl}${path}`);
  }

  private async send(sending: Sending, signal: AbortSignal | undefined): Promise<unknown> {
    throwIfCancelled(signal);
    const key = await untilCancelled(this.options.apiKey(), signal);
    // Anything else could not be a header, and an error about it would quote it.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new CodedError('invalid-key', 'The API key holds characters that no key has');
    const headers = { ...sending.headers, accept: 'application/json', 'x-api-key': key };
    let { url } = sending;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.exchange({ ...sending, url, headers }, key, signal);
      if (!('location' in answer)) return answer.value;
      url = this.redirected(sending, url, answer.location, redirects);
    }
  }

  /** Where a GET may go on to. The key never follows to another origin, and nothing is posted twice. */
  private redirected(
    { method, url: first, subject }: Sending,
    from: URL,
    location: string,
    redirects: number,
  ): URL {
    const details = { ...(subject !== undefined && { subject }), ...(method === 'POST' && { sent: true }) };
    let to: URL | undefined;
    try {
      to = new URL(location, from);
    } catch {
      to = undefined;
    }
    if (method === 'GET' && to && to.origin === first.origin && !to.username && redirects < REDIRECTS)
      return to;
    const reason =
      to && to.origin !== first.origin ? `It redirects to ${to.origin}` : 'It redirects to itself';
    throw new CodedError('unexpected-response', 'The service redirects where it cannot be followed', {
      ...details,
      reason,
    });
  }

  private async exchange(
    sending: Sending,
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<{ value: unknown } | { location: string }> {
    const { method, url, headers, body, timeout, deadline, fresh, subject } = sending;
    const matters = method === 'POST';
    const about = { ...(subject !== undefined && { subject }) };
    const sent = matters && { sent: true };
    const started = performance.now();
    const signals = [signal, deadline].filter(one => one !== undefined);
    let answer: Dispatcher.ResponseData;
    let text: string;
    let cut: boolean;
    try {
      const dispatcher = await untilCancelled(this.dispatchers.for(url, { fresh }), signal);
      answer = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        // undici takes async iterables, its types know only those of Node.
        body: (body ?? null) as Dispatcher.DispatchOptions['body'],
        headersTimeout: timeout,
        bodyTimeout: Math.min(timeout, this.options.network.timeoutMs ?? TIMEOUT),
        ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
      });
      const good = answer.statusCode >= 200 && answer.statusCode < 300;
      ({ text, cut } = await readBounded(answer.body, good ? LARGEST_ANSWER : LARGEST_COMPLAINT));
    } catch (error) {
      const coded = networkError(error, { signal, ...(deadline && { deadline }), matters, subject });
      this.note(sending, coded.code, started);
      throw coded;
    }
    const { statusCode: status } = answer;
    this.note(sending, status, started);
    if (status >= 200 && status < 300) {
      if (cut) throw unreadable('It is larger than 16 MB', { ...about, ...sent });
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        throw unreadable(`It is not JSON but ${answerKind(answer.headers['content-type'])}`, {
          ...about,
          ...sent,
          status,
        });
      }
    }
    const { location } = answer.headers;
    if (status >= 300 && status < 400 && typeof location === 'string') return { location };
    const reason = wordsOfBody(text, [key]);
    const retryAfter = retryAfterSeconds(answer.headers['retry-after'], Date.now());
    throw errorForStatus(status, {
      ...about,
      // A failing service, or one that answers with riddles, may have done what it was asked.
      ...((status >= 500 || status < 400 || status === 408) && sent),
      ...(reason !== undefined && { reason }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }

  private note({ method, url }: Sending, outcome: string | number, started: number): void {
    this.options.log.trace(
      `${method} ${url.pathname} ${outcome} ${Math.round(performance.now() - started)} ms`,
    );
  }
}

function unreadable(
  reason: string,
  details: { subject?: string; sent?: boolean; status?: number },
): CodedError {
  return new CodedError('unexpected-response', 'The answer cannot be read', { ...details, reason });
}

function answerKind(contentType: string | string[] | undefined): string {
  const kind = /^[\w.+-]+\/[\w.+-]+/.exec(String(contentType ?? ''))?.[0];
  return kind && kind !== 'application/json' ? kind : 'something else';
}

/** Milliseconds to wait before a GET is repeated; undefined where repeating does not help or is not wanted so soon. */
function pauseAfter(error: unknown, repeats: number): number | undefined {
  const passing =
    isCoded(error, 'network') || isCoded(error, 'service-error') || isCoded(error, 'rate-limited');
  if (!passing) return undefined;
  const { retryAfter = 0 } = error.details;
  if (retryAfter > LONGEST_PAUSE) return undefined;
  return Math.max(retryAfter * 1000, 500 * 2 ** repeats);
}
