import type { Exchange } from './fault';
import type { HealthyResponse } from './healthyService';

/**
 * The status line and headers of a response; without a body it has no length and ends with the
 * connection.
 */
export function headOf({
  status,
  contentType,
  body,
}: Pick<HealthyResponse, 'status' | 'contentType'> & { body: Buffer | undefined }): string {
  const length = body ? `Content-Length: ${body.length}\r\n` : '';
  return `HTTP/1.1 ${status} Status\r\nContent-Type: ${contentType}\r\n${length}Connection: close\r\n\r\n`;
}

/** Responds as if nothing were wrong, with other bytes if there are some. */
export function respondWell(
  { response, healthy }: Exchange,
  edit: (body: Buffer) => Buffer = body => body,
): void {
  const { status, contentType, body } = healthy();
  const edited = edit(body);
  response.writeHead(status, { 'content-type': contentType, 'content-length': edited.length }).end(edited);
}
