import { CodedError } from '../../../base/errors';
import { reason } from '../../../base/reasons';

const MINUTE_MS = 60_000;
/** Far below any network that anybody works in; a host that sends a byte now and then would else never end. */
const MIN_KILOBYTES_PER_MINUTE = 16;

/** Passes chunks on. Throws `timeout` when too few bytes come in a minute of waiting for them. */
export async function* withMinimumRate(
  chunks: AsyncIterable<Uint8Array>,
  now: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waited = 0;
  let bytes = 0;
  let asked = now();
  for await (const chunk of chunks) {
    // Time that the reader of the chunks takes doesn't count.
    waited += now() - asked;
    bytes += chunk.byteLength;
    if (waited >= MINUTE_MS) {
      if (bytes < MIN_KILOBYTES_PER_MINUTE * 1024) throw tooSlow();
      waited = 0;
      bytes = 0;
    }
    yield chunk;
    asked = now();
  }
}

function tooSlow(): CodedError {
  return new CodedError('timeout', 'The result arrived too slowly', {
    reason: reason('too-slow', MIN_KILOBYTES_PER_MINUTE),
  });
}
