/**
 * Something that a run needs and this machine lacks; the message is one sentence that names the
 * remedy.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
