import * as assert from 'node:assert/strict';
import { CodedError, errorCodes, type ErrorDetails } from '../../../src/base/errors';
import { reason, codedReason, quoted } from '../../../src/base/reasons';
import { errorWords } from '../../../src/words/errorWords';
import { plainEnglish } from '../../../src/words/translate';

describe('The message for an error', () => {
  const words = (code: CodedError['code'], details?: ErrorDetails) =>
    errorWords(plainEnglish, new CodedError(code, 'for the log', details));

  for (const code of errorCodes) {
    it(`of ${code} is one or two sentences, with and without a subject`, () => {
      for (const details of [{}, { subject: 'plate 3.tif' }]) {
        const message = words(code, details);
        assert.match(message, /^["\p{Lu}].*\.$/u);
        assert.ok(message.split(/[.;] (?=\p{Lu})/u).length <= 2, message);
        assert.doesNotMatch(message, /\{\d\}|for the log|undefined/);
      }
    });
  }

  it('names the item, and the reason last, as a sentence', () => {
    assert.equal(
      words('damaged-table', {
        subject: 'a.csv',
        reason: reason('The quote opened on line {0} is never closed', 3),
      }),
      'Couldn\'t read the table "a.csv". Reason: The quote opened on line 3 is never closed.',
    );
  });

  it('says what to do instead where a job can not be run again', () => {
    assert.equal(
      words('not-found', {
        subject: '65f0c1d2',
        reason: codedReason(
          'run-unknown',
          "The job wasn't submitted from this machine, so its files aren't known",
        ),
      }),
      "This job can't be run again. Submit a new one instead. Reason: The job wasn't submitted from this machine, so its files aren't known.",
    );
  });

  it('says where to put the password that a proxy requires', () => {
    assert.equal(
      words('network', {
        reason: codedReason(
          'proxy-needs-password',
          "The proxy requires a user name and password, and Kerberos and NTLM aren't supported",
        ),
      }),
      "Can't reach the service. Add your user name and password to the setting http.proxy, as in http://name:password@proxy.example:8080. Reason: The proxy requires a user name and password, and Kerberos and NTLM aren't supported.",
    );
  });

  it("keeps the punctuation of the service's own text", () => {
    assert.equal(
      words('service-error', { status: 503, reason: quoted(' Down for maintenance! ') }),
      'The service returned an error (status 503). Try again later. Reason: Down for maintenance!',
    );
  });

  it('tells a file over the limit from one that the service rejects as too large', () => {
    assert.match(words('file-too-large', { subject: 'a.tif' }), /^"a\.tif" is larger than 2 GB\./);
    assert.equal(
      words('file-too-large', {
        subject: 'a.tif',
        status: 413,
        reason: quoted('At most 50 MB.'),
      }),
      'The service rejected "a.tif" as too large. Reason: At most 50 MB.',
    );
  });

  it('says first that a sign-out is done whose files stay', () => {
    assert.equal(
      words('no-space', {
        reason: codedReason(
          'signed-out-with-files',
          'You are signed out, but files of the account are still on this machine',
        ),
      }),
      'You are signed out, but files of the account are still on this machine. The disk is full. Free up some space and try again.',
    );
  });

  it('says that the credits are used up', () => {
    assert.equal(
      words('bad-request', { subject: 'a.tif', status: 402, reason: quoted('Payment required') }),
      "Your account has no credits left. Get more on the service's website and try again. Reason: Payment required.",
    );
  });

  it('rounds up the time to wait', () => {
    assert.match(words('rate-limited', { retryAfter: 1.2 }), /in 2 s\.$/);
    assert.match(words('rate-limited', { retryAfter: 86_400 }), /in 24 h 0 min\.$/);
    assert.match(
      words('service-error', { status: 503, retryAfter: 90 }),
      /\(status 503\)\. Try again in 2 min\.$/,
    );
  });

  it('shows which request got an unexpected response, and how that begins', () => {
    assert.match(
      words('unexpected-response', {
        reason: reason('The response has no usable "{0}"', 'id'),
        response: { endpoint: 'GET /analysis-jobs/7', excerpt: '{"_ID":7}' },
      }),
      /Reason: The response has no usable "id"\. GET \/analysis-jobs\/7 returned: \{"_ID":7\}$/,
    );
    assert.match(
      words('unexpected-response', { response: { endpoint: 'GET /check' } }),
      /Request: GET \/check$/,
    );
  });

  it("says that the account isn't permitted, where the key is accepted", () => {
    assert.equal(
      words('bad-request', { status: 403, subject: 'job-7' }),
      'The service doesn\'t permit your account to use "job-7".',
    );
  });

  it("points to the log for an unexpected error, and doesn't show its text", () => {
    assert.equal(
      errorWords(plainEnglish, new TypeError('x is not a function')),
      'Something went wrong. See the log for details.',
    );
  });
});
