import { CodedError, type ErrorCode, type ErrorDetails } from '../../base/errors';

/** The code for an HTTP status that is not a success. */
export function codeForStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'invalid-key';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 408) return 'timeout';
  if (status === 413) return 'file-too-large';
  if (status === 429) return 'rate-limited';
  if (status === 407) return 'network';
  if (status >= 400 && status < 500) return 'bad-request';
  if (status >= 500) return 'service-error';
  return 'unexpected-response';
}

/** The coded error for a response that is not a success; `details` carries what else is known. */
export function errorForStatus(status: number, details: ErrorDetails): CodedError {
  return new CodedError(codeForStatus(status), `The service returned status ${status}`, {
    ...details,
    status,
  });
}

/** Seconds to wait by a Retry-After header: a number, or a date (RFC 9110, 10.2.3). Undefined if it is neither. */
export function retryAfterSeconds(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), 86_400);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, Math.ceil((date - now) / 1000)), 86_400);
}
