import { CodedError } from '../../base/errors';
import { codedReason } from '../../base/reasons';

/** The error of an account without an API key on this machine. */
export function missingKeyError(): CodedError {
  return new CodedError('signed-out', 'This account has no API key', {
    reason: codedReason(
      'key-missing',
      'This browser, or VS Code on this machine, has no API key for the account',
    ),
  });
}
