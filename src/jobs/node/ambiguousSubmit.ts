import { CodedError, isCoded } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';

/** It is unknown whether the service accepted a submit. One of the candidates may be its job; `subject` is what it is about. */
export function ambiguousSubmit(candidates: string[], why: Reason | undefined, subject?: string): CodedError {
  return new CodedError('ambiguous-submit', 'The service may or may not have accepted the job', {
    candidates,
    ...(why && { reason: why }),
    ...(subject !== undefined && { subject }),
  });
}

/** Why a request has no response that can be used, as far as the error in its place says. */
export function whyLost(error: unknown): Reason | undefined {
  if (!isCoded(error)) return undefined;
  const { reason: why, status } = error.details;
  if (why) return why;
  if (status !== undefined) return reason('response-status', status);
  return error.code === 'timeout' ? reason('response-late') : undefined;
}
