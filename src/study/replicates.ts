import { exactSum } from '../columns/exactSum';

/*
 * From images to replicates. A measure is a quotient: of a column the sum of its values over their
 * number, of objects per image the number of objects over that of images, of a share the objects
 * that pass over those that are judged. So a replicate's value is the quotient of sums over its
 * images, or by choice the mean of their own quotients. Where it has technical replicates, each of
 * them has such a value, and the replicate's is their mean, all of equal weight.
 */

/** Counts of one image, or of its objects of one condition and replicate. */
export interface ImagePart {
  /** Path of the image; null for rows that name none. */
  image: string | null;
  /** The value of the condition column; null where it has none. */
  condition: string | null;
  /**
   * The value of each replicate column, then of each column of technical replicates; null where one
   * has none.
   */
  replicate: readonly (string | null)[];
  /** Objects that match the table's filters. */
  objects: number;
  over: number;
  under: number;
  /** Of a column: the sum of the absolute values, which `over` is rounded by. */
  size?: number;
  /** Objects whose number is infinite, and so in no mean. */
  infinite?: number;
}

/** How the value of a replicate is computed: over its objects, or over the values of its images. */
export type ReplicateMean = 'objects' | 'images';

/** A replicate of a condition. */
export interface Replicate {
  condition: string;
  /** The values of the replicate columns. */
  name: readonly string[];
  /** Its images, including known ones without objects. */
  images: number;
  objects: number;
  /** Technical replicates with a value; absent where there are no columns of them. */
  technical?: number;
  /** Null where the quotient is of nothing. */
  value: number | null;
  /**
   * The size of the numbers that the value was computed from: rounding is in proportion to it. Its
   * own where absent.
   */
  size?: number;
  /** Objects whose number is infinite, and so left out. */
  infinite?: number;
  parts: readonly ImagePart[];
}

/** Replicates in the order of their first images, and the images that are in none. */
export interface Replicates {
  replicates: Replicate[];
  /** Images without a value of the condition. */
  withoutCondition: ImagePart[];
  /**
   * Images with a condition, but without a value of a column of replicates or technical replicates.
   */
  withoutReplicate: ImagePart[];
}

/** The data that the value of a replicate is computed from. */
interface ReplicateLevels {
  mean: ReplicateMean;
  /** How many of the last columns of parts' replicates are of technical ones. */
  technical?: number;
}

/** Puts the parts of images together to replicates. */
export function replicatesOf(
  parts: readonly ImagePart[],
  { mean, technical = 0 }: ReplicateLevels,
): Replicates {
  const withoutCondition: ImagePart[] = [];
  const withoutReplicate: ImagePart[] = [];
  const found = new Map<string, { condition: string; name: string[]; parts: ImagePart[] }>();
  for (const part of parts) {
    const { condition } = part;
    const levels = part.replicate.filter(value => value !== null);
    if (condition === null) withoutCondition.push(part);
    else if (levels.length < part.replicate.length) withoutReplicate.push(part);
    else {
      const name = levels.slice(0, levels.length - technical);
      const key = JSON.stringify([condition, ...name]);
      const known = found.get(key);
      if (known) known.parts.push(part);
      else found.set(key, { condition, name, parts: [part] });
    }
  }
  const valueOf = (own: readonly Pick<ImagePart, 'over' | 'under'>[]) =>
    mean === 'objects' ? quotientOf(own) : meanOf(own.map(partValue));
  const replicates = [...found.values()].map(({ condition, name, parts: own }) => {
    const levels = technical > 0 ? technicalParts(own, technical) : undefined;
    const values = levels?.map(valueOf);
    const size = levels ? meanOf(levels.map(level => valueOf(level.map(sized)))) : valueOf(own.map(sized));
    return {
      condition,
      name,
      images: own.length,
      objects: own.reduce((sum, { objects }) => sum + objects, 0),
      ...(values && { technical: values.filter(value => value !== null).length }),
      value: values ? meanOf(values) : valueOf(own),
      size: size ?? 0,
      infinite: infiniteOf(own),
      parts: own,
    };
  });
  return { replicates, withoutCondition, withoutReplicate };
}

/** The parts of each technical replicate of a replicate. */
function technicalParts(parts: readonly ImagePart[], technical: number): ImagePart[][] {
  const found = new Map<string, ImagePart[]>();
  for (const part of parts) {
    const key = JSON.stringify(part.replicate.slice(-technical));
    const known = found.get(key);
    if (known) known.push(part);
    else found.set(key, [part]);
  }
  return [...found.values()];
}

/** Objects of parts whose number is infinite. */
export function infiniteOf(parts: readonly Pick<ImagePart, 'infinite'>[]): number {
  return parts.reduce((sum, { infinite = 0 }) => sum + infinite, 0);
}

/** The value of one image; null where it is of nothing. */
export function partValue({ over, under }: Pick<ImagePart, 'over' | 'under'>): number | null {
  return under === 0 ? null : finite(over / under);
}

/** The quotient of the sums of parts; null where it is of nothing. */
export function quotientOf(parts: readonly Pick<ImagePart, 'over' | 'under'>[]): number | null {
  const under = exactSum(Float64Array.from(parts, part => part.under));
  return under === 0 ? null : finite(exactSum(Float64Array.from(parts, ({ over }) => over)) / under);
}

/** The same part of absolute values. */
function sized({ over, under, size = over }: ImagePart): Pick<ImagePart, 'over' | 'under'> {
  return { over: size, under };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null);
  return known.length === 0 ? null : finite(exactSum(Float64Array.from(known)) / known.length);
}

/** Null for a quotient whose sum is beyond the doubles. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/**
 * Whether columns of replicates multiply n: there are more combinations of their values than any of
 * them has values, as if each donor was measured on each day. Only a user knows which of them
 * counts, or that all do.
 */
export function areMultiplied(replicates: readonly Pick<Replicate, 'name'>[]): boolean {
  const [first] = replicates;
  if (!first || first.name.length < 2) return false;
  const all = new Set(replicates.map(({ name }) => JSON.stringify(name))).size;
  return first.name.every((_, at) => new Set(replicates.map(({ name }) => name[at])).size < all);
}

/** In place of the position of a replicate: an image or object of none. */
export const NO_REPLICATE = 0xffff_ffff;
