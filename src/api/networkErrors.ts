import { CodedError, isCoded } from '../base/errors';

/** Failures that happen before a request can have left this machine for the service. */
const beforeSending: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ENOTFOUND: 'The host name could not be found',
  EAI_AGAIN: 'The host name could not be looked up',
  EHOSTUNREACH: 'The host is out of reach',
  ENETUNREACH: 'The network is out of reach',
  EADDRNOTAVAIL: 'The address cannot be reached from here',
  EACCES: 'The connection is not permitted',
  EPERM: 'The connection is not permitted',
  EPROTO: 'No secure connection could be agreed on',
  UND_ERR_PRX_TLS: 'No secure connection to the proxy could be made',
  UND_ERR_PRX_CONN: 'The proxy closed the connection',
};

const onTheWay: Readonly<Record<string, string>> = {
  ECONNRESET: 'The connection was closed by the other side',
  EPIPE: 'The connection was closed by the other side',
  ECONNABORTED: 'The connection was closed',
  UND_ERR_SOCKET: 'The connection was closed by the other side',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer ended early',
};

const untrusted =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|CRL_|ERR_OSSL)/;

/** What was under way when a request failed. */
export interface RequestState {
  /** The caller's signal, which alone can cancel. */
  signal: AbortSignal | undefined;
  /** Our own limit on the whole request. */
  deadline?: AbortSignal;
  /** True for a request that must not be repeated blindly; sets `details.sent` where it may have arrived. */
  matters: boolean;
  subject?: string | undefined;
}

/**
 * The coded error for what undici or the system threw: `cancelled`, `timeout`, `network`, `unexpected-response`,
 * `file-changed`. Coded errors pass. Its text names no address and no link.
 */
export function networkError(
  error: unknown,
  { signal, deadline, matters, subject }: RequestState,
): CodedError {
  const about = { ...(subject !== undefined && { subject }) };
  const sent = { ...about, ...(matters && { sent: true }) };
  if (signal?.aborted) return new CodedError('cancelled', 'The operation was cancelled', sent);
  if (isCoded(error)) return error;
  if (deadline?.aborted) return new CodedError('timeout', 'The service took too long to answer', sent);
  const { code, name, syscall, message } = innermost(error);
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return new CodedError('timeout', 'The service could not be reached in time', about);
    case 'ETIMEDOUT':
      return new CodedError('timeout', 'The connection timed out', syscall === 'connect' ? about : sent);
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new CodedError('timeout', 'The service did not answer in time', sent);
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new CodedError('cancelled', 'The connection was given up', sent);
    case 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH':
      return new CodedError('file-changed', 'The body was not as long as announced', sent);
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new CodedError('unexpected-response', 'The answer cannot be read', {
        ...sent,
        reason: 'Its headers are too long',
      });
  }
  if (code.startsWith('HPE_') || name === 'HTTPParserError') {
    return new CodedError('unexpected-response', 'The answer cannot be read', {
      ...sent,
      reason: 'It is not HTTP',
    });
  }
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status !== undefined || message.includes('Proxy Authentication Required')) {
    const reason =
      status === undefined || status === '407'
        ? 'The proxy asks for a user name and a password'
        : `The proxy refused the connection (status ${status})`;
    return new CodedError('network', 'The proxy did not let the request pass', { ...about, reason });
  }
  if (untrusted.test(code)) {
    const reason = `The certificate of the host is not trusted (${code})`;
    return new CodedError('network', 'No secure connection could be made', { ...about, reason });
  }
  const early = beforeSending[code];
  if (early !== undefined)
    return new CodedError('network', 'The service cannot be reached', { ...about, reason: early });
  const reason = onTheWay[code] ?? (code ? `The connection failed (${code})` : 'The connection failed');
  return new CodedError('network', 'The connection to the service failed', { ...sent, reason });
}

/** The error that says most: several addresses tried give an AggregateError, undici wraps what its socket said. */
function innermost(error: unknown, depth = 0): Record<'code' | 'name' | 'syscall' | 'message', string> {
  const { code, name, syscall, message, cause, errors } = (error ?? {}) as {
    code?: unknown;
    name?: unknown;
    syscall?: unknown;
    message?: unknown;
    cause?: unknown;
    errors?: unknown;
  };
  const own = { code: text(code), name: text(name), syscall: text(syscall), message: text(message) };
  const inner = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
  if (own.code !== '' || inner === undefined || depth > 4) return own;
  return innermost(inner, depth + 1);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
