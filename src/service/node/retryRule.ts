import { isCoded, type ErrorCode } from '../../base/errors';

/**
 * When a request is sent again by itself. Never one that creates or costs something (POST): SubmitGuard decides about
 * those. Other waits are not retries: how often a job is polled is in jobs/pollPace, a new link to a result in
 * results/download/transfer.
 */
export const retryRule = {
  methods: ['GET'] as readonly string[],
  /** No connection; a status of 500 or more; status 429. Not a timeout: it has cost enough time already. */
  codes: ['network', 'service-error', 'rate-limited'] satisfies ErrorCode[],
  MAX_ATTEMPTS: 3,
  /** Doubles with each further attempt; of each wait a random half is left out. Milliseconds. */
  firstWait: 500,
  /** A service that wants a longer wait (Retry-After) is not retried. Seconds. */
  MAX_RETRY_AFTER: 30,
} as const;

/**
 * Milliseconds to wait before the next attempt after `attempt` attempts; undefined where there is none. Random, so that
 * the windows of a whole institute don't return to a service at the same moment; never shorter than Retry-After.
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
