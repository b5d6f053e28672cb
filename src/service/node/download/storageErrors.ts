import { CodedError } from '../../../base/errors';
import { codeForStatus } from '../statusErrors';

/** S3 and storages like it say with 400, too, that the credentials of a link have expired. */
const EXPIRED = /<Code>\s*(ExpiredToken|RequestExpired|TokenRefreshRequired)\s*<\/Code>/i;

/** What is known of a response that is not a success. */
export interface StorageRefusal {
  status: number;
  /** The beginning of the body. */
  text: string;
  /** Seconds. */
  retryAfter?: number | undefined;
}

/** The coded error for a storage's refusal: `link-expired` where another link may work. */
export function storageError({ status, text, retryAfter }: StorageRefusal): CodedError {
  const details = { status, ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || status === 403 || status === 410 || (status === 400 && EXPIRED.test(text)))
    return new CodedError('link-expired', 'The link to the result is no longer accepted', details);
  const code = status < 300 ? 'unexpected-response' : codeForStatus(status);
  return new CodedError(code, `The storage returned status ${status}`, details);
}
