import { CodedError } from '../../base/errors';
import { Masks } from './masks';

/** The masks of a result without objects, for which a service may send an empty file instead of an archive. */
export function noMasks(): Masks {
  const read = () => Promise.reject(new CodedError('bad-request', 'There are no images'));
  return new Masks({ dispose: () => undefined }, read, [], { classes: [], images: [], notes: [] });
}
