import { CodedError, type ErrorCode } from '../../../base/errors';

const codes: Record<number, ErrorCode> = {
  400: 'bad-request',
  401: 'invalid-key',
  403: 'link-expired',
  404: 'not-found',
  405: 'bad-request',
  413: 'file-too-large',
  421: 'bad-request',
  503: 'service-error',
  507: 'no-space',
};

/** An error whose response has this status and `{ message }`. The client reads the message. */
export function httpError(status: number, message: string): CodedError {
  return new CodedError(codes[status] ?? 'service-error', message, { status });
}
