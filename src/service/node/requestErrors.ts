import type { CancelSignal } from '../../base/canceling';
import { CodedError, type ErrorCode, type ErrorDetails, isCoded } from '../../base/errors';
import { reason, type Reason, codedReason } from '../../base/reasons';

/** Errors before a request can have left this machine. */
const BEFORE_SENDING: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: reason('The connection was refused'),
  ENOTFOUND: reason("Couldn't find the host"),
  EAI_AGAIN: reason("Couldn't look up the host name"),
  EHOSTUNREACH: reason("Can't reach the host"),
  ENETUNREACH: reason("Can't reach the network"),
  EADDRNOTAVAIL: reason("Can't reach the address from this machine"),
  EACCES: reason("The connection isn't permitted"),
  EPERM: reason("The connection isn't permitted"),
  EPROTO: reason("Couldn't agree on a secure connection"),
  UND_ERR_PRX_TLS: reason("Couldn't connect to the proxy securely"),
  UND_ERR_PRX_CONN: reason('The proxy closed the connection'),
};

const AFTER_SENDING: Readonly<Record<string, Reason>> = {
  ECONNRESET: codedReason('connection-closed', 'The other side closed the connection'),
  EPIPE: codedReason('connection-closed', 'The other side closed the connection'),
  ECONNABORTED: codedReason('connection-closed', 'The other side closed the connection'),
  UND_ERR_SOCKET: codedReason('connection-closed', 'The other side closed the connection'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: reason('The response ended early'),
};

const UNTRUSTED =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|CRL_|ERR_OSSL)/;

/** OpenSSL's errors for a plain-text response, which it reads as a TLS record. */
const NOT_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/;

/** The state of a request when it failed. */
interface RequestState {
  /** The caller's signal; only this one cancels. */
  signal: Pick<CancelSignal, 'aborted'> | undefined;
  /** Our own time limit for the whole request. */
  deadline?: Pick<CancelSignal, 'aborted'>;
  /** A POST must not be sent twice: `details.sent` is set if it may have arrived. */
  isPost: boolean;
  subject?: string | undefined;
}

/**
 * The CodedError for an error of undici or the system: `cancelled`, `timeout`, `network`,
 * `unexpected-response`, `file-changed`. CodedErrors are returned as they are. The message has no
 * address or link.
 */
export function networkError(
  error: unknown,
  { signal, deadline, isPost, subject }: RequestState,
): CodedError {
  const subjectDetails = { ...(subject !== undefined && { subject }) };
  const sent = { ...subjectDetails, ...(isPost && { sent: true }) };
  if (signal?.aborted) return new CodedError('cancelled', 'The operation was canceled', sent);
  if (isCoded(error)) return error;
  if (deadline?.aborted) return new CodedError('timeout', 'The service took too long to respond', sent);
  const { code, name, syscall, message, data } = innermost(error);
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return new CodedError('timeout', 'The service could not be reached in time', subjectDetails);
    case 'ETIMEDOUT':
      return new CodedError(
        'timeout',
        'The connection timed out',
        syscall === 'connect' ? subjectDetails : sent,
      );
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new CodedError('timeout', 'The service did not respond in time', sent);
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new CodedError('cancelled', 'The connection was closed here', sent);
    case 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH':
      return new CodedError('file-changed', 'The body was not as long as announced', sent);
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new CodedError('unexpected-response', 'The response cannot be read', {
        ...sent,
        reason: reason('The response headers are too long'),
      });
  }
  // The connection was closed within a chunked body; undici has no code for this.
  if (name === 'HTTPParserError' && message.includes('Invalid EOF state')) {
    const cause = reason('The response ended early');
    return new CodedError('network', 'The connection to the service failed', { ...sent, reason: cause });
  }
  if (code.startsWith('HPE_') || name === 'HTTPParserError') {
    // A host that expects TLS responds with a TLS alert.
    if (data.startsWith('\x15\x03')) {
      const cause = reason('The host uses https at this address and port, not http');
      return new CodedError('network', 'The service cannot be reached', { ...subjectDetails, reason: cause });
    }
    return new CodedError('unexpected-response', 'The response cannot be read', {
      ...sent,
      reason: reason("The response isn't HTTP"),
    });
  }
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  const isRefusedBySocks = code.startsWith('UND_ERR_SOCKS5_AUTH');
  if (status !== undefined || isRefusedBySocks || message.includes('Proxy Authentication Required')) {
    const cause =
      status === undefined || status === '407'
        ? codedReason(
            'proxy-needs-password',
            "The proxy requires a user name and password, and Kerberos and NTLM aren't supported",
          )
        : reason('The proxy refused the connection (status {0})', Number(status));
    return new CodedError('network', 'The proxy refused the request', { ...subjectDetails, reason: cause });
  }
  if (NOT_TLS.test(code)) {
    const cause = reason("The host doesn't use https at this address and port");
    return new CodedError('network', 'No secure connection could be made', {
      ...subjectDetails,
      reason: cause,
    });
  }
  if (UNTRUSTED.test(code)) {
    const cause = reason("The host's certificate isn't trusted ({0})", code);
    return new CodedError('network', 'No secure connection could be made', {
      ...subjectDetails,
      reason: cause,
    });
  }
  const causeBeforeSending =
    BEFORE_SENDING[code] ??
    (code.startsWith('UND_ERR_SOCKS5') ? reason('The connection failed ({0})', code) : undefined);
  if (causeBeforeSending)
    return new CodedError('network', 'The service cannot be reached', {
      ...subjectDetails,
      reason: causeBeforeSending,
    });
  const cause =
    AFTER_SENDING[code] ??
    (code ? reason('The connection failed ({0})', code) : reason('The connection failed'));
  return new CodedError('network', 'The connection to the service failed', { ...sent, reason: cause });
}

/**
 * The most specific error: an AggregateError has one for each address, and undici wraps its
 * socket's.
 */
function innermost(
  error: unknown,
  depth = 0,
): Record<'code' | 'name' | 'syscall' | 'message' | 'data', string> {
  const { code, name, syscall, message, data, cause, errors } = (error ?? {}) as {
    code?: unknown;
    name?: unknown;
    syscall?: unknown;
    message?: unknown;
    data?: unknown;
    cause?: unknown;
    errors?: unknown;
  };
  const fields = {
    code: text(code),
    name: text(name),
    syscall: text(syscall),
    message: text(message),
    data: text(data),
  };
  const inner = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
  if (fields.code !== '' || inner === undefined || depth > 4) return fields;
  return innermost(inner, depth + 1);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The code for an error status of HTTP. */
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

/** The CodedError for an error response, with known `details`. */
export function errorForStatus(status: number, details: ErrorDetails): CodedError {
  return new CodedError(codeForStatus(status), `The service returned status ${status}`, {
    ...details,
    status,
  });
}

/** Seconds of a Retry-After header: a number or a date (RFC 9110, 10.2.3); undefined otherwise. */
export function retryAfterSeconds(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), 86_400);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, Math.ceil((date - now) / 1000)), 86_400);
}
