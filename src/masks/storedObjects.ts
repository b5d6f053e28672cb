import type { StoredKind } from '../base/storedKind';
import * as v from 'valibot';
import { fileName, index, indexes } from '../protocol/schemas';

/** Objects that a person selected and gave a name, as they are stored with a result. */
export const storedObjects = v.array(
  v.object({
    /** ID of their image, which is the same one while it has as many objects. */
    image: fileName,
    objectCount: index,
    objects: indexes,
  }),
);

/** Those of one image. */
export type StoredObjects = v.InferOutput<typeof storedObjects>[number];

/** Objects with a name, as they are stored with a result, by the name. */
export const selectionKind: StoredKind<StoredObjects[]> = {
  name: 'selections',
  valid: value => (v.is(storedObjects, value) ? value : undefined),
};

export const MAX_SELECTION_NAME = 100;
