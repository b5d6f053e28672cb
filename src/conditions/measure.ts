import * as v from 'valibot';
import { filters, index } from '../protocol/schemas';

/** See Measure. */
export const measure = v.variant('kind', [
  v.object({ kind: v.literal('column'), column: index }),
  v.object({ kind: v.literal('objectsPerImage'), per: v.picklist(['image', 'area']) }),
  v.object({ kind: v.literal('share'), of: filters }),
]);

/**
 * What images and replicates are compared by: the mean of a column, the number of objects per image or per mm² of images, or
 * the share of objects that match filters, of a class or named.
 */
export type Measure = v.InferOutput<typeof measure>;
