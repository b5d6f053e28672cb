import { isCoded, type ErrorCode, type ErrorDetails } from '../base/errors';
import { formatDuration } from './format';
import { nameInSentence } from './inertText';
import { reasonSentence } from './reasonWords';
import type { Translate } from './translate';

/** The message for the user: what happened, to which thing, what to do next, then the reason. */
export function errorWords(t: Translate, error: unknown): string {
  if (!isCoded(error)) return t('Something went wrong. See the log for details.');
  const { reason, response, subject } = error.details;
  const details = {
    ...error.details,
    ...(subject !== undefined && { subject: nameInSentence(subject) }),
  };
  // For a failed sign-out, the files that remain matter most; they aren't the cause of the failure.
  if (reason?.code === 'signed-out-with-files')
    return [reasonSentence(t, reason), sentences[error.code](t, details)].join(' ');
  const words = [sentences[error.code](t, details)];
  if (reason) words.push(t('Reason: {0}', reasonSentence(t, reason)));
  if (response?.excerpt) words.push(t('{0} returned: {1}', response.endpoint, response.excerpt));
  else if (response) words.push(t('Request: {0}', response.endpoint));
  return words.join(' ');
}

/** The type requires a message for each code. */
type ErrorSentences = Readonly<Record<ErrorCode, (t: Translate, details: ErrorDetails) => string>>;

const sentences: ErrorSentences = {
  'signed-out': (t, { reason }) =>
    reason?.code === 'key-missing'
      ? t('Sign in again to continue.')
      : t("You aren't signed in. Sign in to continue."),
  'not-active': (t, { subject }) =>
    subject
      ? t('"{0}" isn\'t the account in use. Select "Switch Account…" to use it.', subject)
      : t('This isn\'t the account in use. Select "Switch Account…" to use it.'),
  'invalid-key': t =>
    t("The service doesn't accept this API key. Create a new key on its website and sign in again."),
  'not-found': (t, { subject, reason }) => {
    if (reason?.code === 'run-unknown') return t("This job can't be run again. Submit a new one instead.");
    return subject
      ? t('Couldn\'t find "{0}". It may have been removed; refresh and try again.', subject)
      : t('Item not found. It may have been removed; refresh and try again.');
  },
  'bad-request': (t, { subject, status, reason }) => {
    if (reason?.code === 'key-replaced')
      return subject
        ? t('The service refused "{0}". Try again.', subject)
        : t('The service refused the request. Try again.');
    if (status === 402)
      return t("Your account has no credits left. Get more on the service's website and try again.");
    if (status === 401 || status === 403)
      return subject
        ? t('The service doesn\'t permit your account to use "{0}".', subject)
        : t("The service doesn't permit your account to do this.");
    return subject
      ? t('"{0}" isn\'t valid. Check it and try again.', subject)
      : t("The request isn't valid. Check what you entered and try again.");
  },
  'rate-limited': (t, { retryAfter }) =>
    retryAfter === undefined
      ? t('The service is receiving too many requests. Try again later.')
      : t(
          'The service is receiving too many requests. Try again in {0}.',
          formatDuration(t, Math.ceil(retryAfter)),
        ),
  'service-error': (t, { status, retryAfter }) => {
    if (status === undefined) return t('The service returned an error. Try again later.');
    return retryAfter === undefined
      ? t('The service returned an error (status {0}). Try again later.', status)
      : t(
          'The service returned an error (status {0}). Try again in {1}.',
          status,
          formatDuration(t, Math.ceil(retryAfter)),
        );
  },
  network: (t, { reason }) =>
    reason?.code === 'proxy-needs-password'
      ? t(
          "Can't reach the service. Add your user name and password to the setting http.proxy, as in http://name:password@proxy.example:8080.",
        )
      : t("Can't reach the service. Check the address, your connection, and the proxy settings."),
  timeout: t => t("The service didn't respond in time. Try again."),
  cancelled: t => t('Canceled.'),
  exists: (t, { subject }) =>
    subject
      ? t('"{0}" already exists and was not replaced.', subject)
      : t('The file already exists and was not replaced.'),
  'file-too-large': (t, { subject, status, reason }) => {
    if (reason?.code === 'over-cache-size')
      return t(
        'The result needs more disk space than allowed. Increase the setting imageAnalysis.results.cacheSize.',
      );
    // Only the service knows its limit; its words follow as the reason.
    if (status !== undefined)
      return subject
        ? t('The service rejected "{0}" as too large.', subject)
        : t('The service rejected the file as too large.');
    return subject
      ? t('"{0}" is larger than 2 GB. Upload it on the service\'s website.', subject)
      : t("The file is larger than 2 GB. Upload it on the service's website.");
  },
  'file-changed': (t, { subject }) =>
    subject
      ? t('"{0}" changed while being read. Try again once it is fully written.', subject)
      : t('The file changed while being read. Try again once it is fully written.'),
  'not-a-file': (t, { subject }) =>
    subject ? t('Couldn\'t open "{0}" as a file.', subject) : t("Couldn't open the file."),
  'unexpected-response': t =>
    t("The service returned an unexpected response. Check that the address is the service's."),
  'ambiguous-submit': t =>
    t(
      'The service may or may not have accepted the job. Check the Jobs view before you submit again; a second job also uses credits.',
    ),
  'job-failed': (t, { subject }) => (subject ? t('The job "{0}" failed.', subject) : t('The job failed.')),
  'link-expired': t =>
    t("The service's link to this result has expired, and a new link failed too. Try again."),
  'damaged-archive': (t, { subject }) =>
    subject
      ? t('The masks archive "{0}" is damaged. Download it again.', subject)
      : t('The masks archive is damaged. Download it again.'),
  'damaged-table': (t, { subject }) =>
    subject ? t('Couldn\'t read the table "{0}".', subject) : t("Couldn't read the table."),
  'damaged-image': (t, { subject }) =>
    subject ? t('The image "{0}" is damaged.', subject) : t('The image is damaged.'),
  'too-many-objects': (t, { subject }) =>
    subject
      ? t('"{0}" has more data than can be shown or exported.', subject)
      : t('This is more data than can be shown or exported.'),
  'in-use': (t, { subject }) =>
    subject
      ? t('"{0}" is open in another program. Close it there and try again.', subject)
      : t('The file is open in another program. Close it there and try again.'),
  'no-space': t => t('The disk is full. Free up some space and try again.'),
  'not-writable': (t, { subject }) =>
    subject
      ? t(
          'Couldn\'t write "{0}". Check that its disk isn\'t read-only and that you have permission, and try again.',
          subject,
        )
      : t(
          "Couldn't write to the disk. Check that it isn't read-only and that you have permission, and try again.",
        ),
};
