import { exactSum } from '../columns/exactSum';

/*
 * From images to replicates. A measure is a quotient: of a column the sum of its values over their number, of objects per
 * image the number of objects over that of images, of a share the objects that pass over those that are judged. So a
 * replicate's value is the quotient of sums over its images, or by choice the mean of their own quotients.
 */

/** What is counted of one image, or of its objects of one condition and replicate. */
export interface ImagePart {
  /** Path of the image; null for rows that name none. */
  image: string | null;
  /** The value of the condition column; null where it has none. */
  condition: string | null;
  /** The value of each replicate column; null where one has none. */
  replicate: readonly (string | null)[];
  /** Objects that match the table's filters. */
  objects: number;
  over: number;
  under: number;
}

/** How the value of a replicate is computed: over its objects, or over the values of its images. */
export type ReplicateMean = 'objects' | 'images';

/** A replicate of a condition. */
export interface Replicate {
  condition: string;
  /** The values of the replicate columns. */
  name: readonly string[];
  /** Its images, those without objects included as far as they are known. */
  images: number;
  objects: number;
  /** Null where the quotient is of nothing. */
  value: number | null;
  parts: readonly ImagePart[];
}

/** Replicates in the order of their first images, and the images that are in none. */
export interface Replicates {
  replicates: Replicate[];
  /** Images without a value of the condition. */
  withoutCondition: ImagePart[];
  /** Images with a condition, but without a value of a replicate column. */
  withoutReplicate: ImagePart[];
}

/** Puts the parts of images together to replicates. */
export function replicatesOf(parts: readonly ImagePart[], mean: ReplicateMean): Replicates {
  const withoutCondition: ImagePart[] = [];
  const withoutReplicate: ImagePart[] = [];
  const found = new Map<string, { condition: string; name: string[]; parts: ImagePart[] }>();
  for (const part of parts) {
    const { condition } = part;
    const name = part.replicate.filter(value => value !== null);
    if (condition === null) withoutCondition.push(part);
    else if (name.length < part.replicate.length) withoutReplicate.push(part);
    else {
      const key = JSON.stringify([condition, ...name]);
      const known = found.get(key);
      if (known) known.parts.push(part);
      else found.set(key, { condition, name, parts: [part] });
    }
  }
  const replicates = [...found.values()].map(({ condition, name, parts: own }) => ({
    condition,
    name,
    images: own.length,
    objects: own.reduce((sum, { objects }) => sum + objects, 0),
    value: mean === 'objects' ? quotientOf(own) : meanOf(own.map(partValue)),
    parts: own,
  }));
  return { replicates, withoutCondition, withoutReplicate };
}

/** The value of one image; null where it is of nothing. */
export function partValue({ over, under }: Pick<ImagePart, 'over' | 'under'>): number | null {
  return under === 0 ? null : over / under;
}

/** The quotient of the sums of parts; null where it is of nothing. */
export function quotientOf(parts: readonly Pick<ImagePart, 'over' | 'under'>[]): number | null {
  const under = parts.reduce((sum, part) => sum + part.under, 0);
  return under === 0 ? null : exactSum(Float64Array.from(parts, ({ over }) => over)) / under;
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null);
  return known.length === 0 ? null : exactSum(Float64Array.from(known)) / known.length;
}

/** In place of the position of a replicate: an image or object of none. */
export const NO_REPLICATE = 0xffff_ffff;
