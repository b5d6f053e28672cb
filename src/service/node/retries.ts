import { CodedError, type ErrorCode, isCoded } from '../../base/errors';

/**
 * When a request is sent again by itself. Never one that creates or costs something (POST):
 * SubmitGuard decides about those. Other waits are not retries: how often a job is polled is in
 * `jobs/node/pollLoop`, a new link to a result in `results/node/resultFiles`.
 */
export const retryRule = {
  methods: ['GET'] as readonly string[],
  /** No connection, a status of 500 or more, or 429. Not a timeout, which took long enough. */
  codes: ['network', 'service-error', 'rate-limited'] satisfies ErrorCode[],
  MAX_ATTEMPTS: 3,
  /** Doubles with each further attempt; of each wait a random half is left out. Milliseconds. */
  firstWait: 500,
  /** A service that wants a longer wait (Retry-After) is not retried. Seconds. */
  MAX_RETRY_AFTER: 30,
} as const;

/**
 * Milliseconds to wait before the next attempt after `attempt` attempts; undefined where there is
 * none. Random, so that the windows of a whole institute don't return to a service at the same
 * moment; never shorter than Retry-After.
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
  const longest = firstWait * 2 ** (attempt - 1);
  const wait = longest * (0.5 + random() / 2);
  return retryAfter > 0 ? retryAfter * 1000 + wait : wait;
}

/** A request per minute is tried, however long the service's pause: a person may know better. */
const MAX_PAUSE_MS = 60_000;

/** The time in which a service that sent Retry-After isn't sent further GETs. */
export class ServicePause {
  private error: CodedError | undefined;
  /** When the next request may be sent; then, when the service allows it. Steady milliseconds. */
  private endsAt = 0;
  private statedEnd = 0;

  constructor(private readonly now: () => number) {}

  /** Begins a pause if the error carries a Retry-After. */
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

  /** The error of an unsent request: the service's last, with the rest of its Retry-After. */
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
