import { CodedError, type ErrorCode, isCoded } from '../../base/errors';

/**
 * The rule for automatic retries. A request that creates something or costs money (POST) is never
 * retried: SubmitGuard decides about those. Other waits aren't retries: `jobs/node/pollLoop` polls
 * jobs, and `results/node/resultFiles` requests new links.
 */
export const retryRule = {
  methods: ['GET'] as readonly string[],
  /** No connection, a status of 500 or more, or 429; not a timeout, which took long enough. */
  codes: ['network', 'service-error', 'rate-limited'] satisfies ErrorCode[],
  MAX_ATTEMPTS: 3,
  /** In milliseconds. Doubles with each attempt; a random part of up to a half is subtracted. */
  firstWait: 500,
  /** In seconds. If Retry-After is longer, the request isn't retried. */
  MAX_RETRY_AFTER: 30,
} as const;

/**
 * Milliseconds to wait after `attempt` attempts; undefined if there is no other attempt. Random, so
 * that many windows don't return to a service at once; never shorter than Retry-After.
 */
export function retryDelay(
  method: string,
  error: unknown,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  const { methods, codes, MAX_ATTEMPTS, firstWait, MAX_RETRY_AFTER } = retryRule;
  if (attempt >= MAX_ATTEMPTS || !methods.includes(method) || !isCoded(error)) return undefined;
  if (!codes.some(code => code === error.code)) return undefined;
  const { retryAfter = 0 } = error.details;
  if (retryAfter > MAX_RETRY_AFTER) return undefined;
  const maxWait = firstWait * 2 ** (attempt - 1);
  const wait = maxWait * (0.5 + random() / 2);
  return retryAfter > 0 ? retryAfter * 1000 + wait : wait;
}

/**
 * Maximum pause: a request is sent after a minute even if the service asked for more, as a user may
 * know better.
 */
const MAX_PAUSE_MS = 60_000;

/** The pause after a Retry-After, in which no GETs are sent to the service. */
export class ServicePause {
  private error: CodedError | undefined;
  /**
   * Times of the next request, and of the end that the service asked for, in steady milliseconds.
   */
  private endsAt = 0;
  private statedEnd = 0;

  constructor(private readonly now: () => number) {}

  /** Starts a pause if the error has a Retry-After. */
  beginAfter(error: CodedError): void {
    const { retryAfter } = error.details;
    if (retryAfter === undefined) return;
    const now = this.now();
    this.error = error;
    this.statedEnd = now + retryAfter * 1000;
    this.endsAt = now + Math.min(retryAfter * 1000, MAX_PAUSE_MS);
  }

  /** Milliseconds until a request may be sent. */
  get remaining(): number {
    return Math.max(0, this.endsAt - this.now());
  }

  /** The error of an unsent request: the service's last error, with the remaining time. */
  refusal({ subject }: { subject?: string | undefined }): CodedError {
    if (!this.error) throw new Error('The service has not asked for a pause');
    const { code, message, details } = this.error;
    return new CodedError(code, message, {
      ...(details.status !== undefined && { status: details.status }),
      ...(details.reason && { reason: details.reason }),
      ...(subject !== undefined && { subject }),
      retryAfter: Math.ceil((this.statedEnd - this.now()) / 1000),
    });
  }
}
