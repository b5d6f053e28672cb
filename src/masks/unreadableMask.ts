import { CodedError } from '../base/errors';
import { reasonForLog, type Reason } from '../base/reasons';

/** The error for an object's mask that can't be read reliably. */
export function unreadableMask(why: Reason): CodedError {
  return new CodedError('damaged-archive', `Unreadable mask: ${reasonForLog(why)}`, { reason: why });
}
