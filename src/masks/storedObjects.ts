import * as v from 'valibot';
import type { StoredKind } from '../base/storedKind';
import { fileName, index, indexes } from '../protocol/schemas';

/** Objects that a user selected and named, as stored with a result. */
export const storedObjects = v.array(
  v.object({
    /** ID of the image, which counts as unchanged while its object count is the same. */
    image: fileName,
    objectCount: index,
    objects: indexes,
  }),
);

/** Stored objects of one image. */
export type StoredObjects = v.InferOutput<typeof storedObjects>[number];

export const MAX_SELECTION_NAME = 100;

const selections = v.record(v.string(), storedObjects);

/** Named selections of a result. */
export const selectionsKind: StoredKind<v.InferOutput<typeof selections>> = {
  name: 'selections',
  valid: value => (v.is(selections, value) ? value : undefined),
};
