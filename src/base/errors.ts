import type { CancelSignal } from './canceling';
import type { Reason } from './reasons';

/** Every kind of failure that a program may need to distinguish. Part of the public API. */
export const errorCodes = [
  'signed-out',
  'not-active',
  'invalid-key',
  'not-found',
  'bad-request',
  'rate-limited',
  'service-error',
  'network',
  'timeout',
  'cancelled',
  'exists',
  'file-too-large',
  'file-changed',
  'not-a-file',
  'unexpected-response',
  'ambiguous-submit',
  'job-failed',
  'link-expired',
  'damaged-archive',
  'damaged-table',
  'damaged-image',
  'too-many-objects',
  'no-space',
  'not-writable',
  'in-use',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * Details for the message to the user; never a key or a result link. `subject` names the file, job
 * or item. `src/words` translates `reason`.
 */
export interface ErrorDetails {
  subject?: string;
  reason?: Reason;
  /** HTTP status, where there was one. */
  status?: number;
  /** A response that can't be read: "GET /path", and the start of its body without secrets. */
  response?: { endpoint: string; excerpt?: string };
  /** Seconds to wait, from the service. */
  retryAfter?: number;
  /** Whether the request may have reached the service although no response came back. */
  sent?: boolean;
  /** Analysis jobs that might be the one an ambiguous submit created. */
  candidates?: string[];
}

/** An expected failure. `code` is stable; the message is for the log, not for the user. */
export class CodedError extends Error {
  override readonly name = 'CodedError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether an error carries the code; without a code, whether it is a coded error at all. */
export function isCoded(error: unknown, code?: ErrorCode): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** The error thrown where an AbortSignal ended the work. */
export function canceledError(): CodedError {
  return new CodedError('cancelled', 'The operation was canceled');
}

/** Throws `cancelled` if the signal has fired. */
export function throwIfCanceled(signal: Pick<CancelSignal, 'aborted'> | undefined): void {
  if (signal?.aborted) throw canceledError();
}

/** A plain form of an error that survives JSON. */
export interface PlainError {
  message: string;
  code?: ErrorCode;
  details?: ErrorDetails;
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof CodedError)
    return { message: error.message, code: error.code, details: error.details };
  return { message: error instanceof Error ? error.message : String(error) };
}

export function fromPlainError(plain: PlainError): Error {
  return plain.code ? new CodedError(plain.code, plain.message, plain.details) : new Error(plain.message);
}
