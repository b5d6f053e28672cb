/** Something a run needs and this machine cannot give; the message is one sentence that names the remedy. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
