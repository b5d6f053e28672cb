import { exactSum } from '../columns/exactSum';

/*
 * From images to replicates. A measure is a quotient: for a column, the sum of its values over
 * their number; for objects per image, the number of objects over that of images; for a share, the
 * number of matching objects over that of judged objects. The value of a replicate is the quotient
 * of sums over its images, or by choice the mean of the quotients of its images. With technical
 * replicates, each of them has such a value, and the replicate has their unweighted mean.
 */

/** An image of a table. All its parts refer to one and the same instance. */
export interface PartImage {
  path: string;
  /** Set in a table of several jobs: each has its own images, also where their paths are equal. */
  job?: string;
}

/** Counts of one image, or of its objects of one condition and replicate. */
export interface ImagePart {
  /** Null for rows without an image. */
  image: PartImage | null;
  /** The value of the condition column; null if empty. */
  condition: string | null;
  /**
   * The value of each replicate column, then of each column of technical replicates; null if empty.
   */
  replicate: readonly (string | null)[];
  /** Objects that match the table's filters. */
  objects: number;
  /** The two sides of the measure's quotient, see above. */
  numerator: number;
  denominator: number;
  /**
   * For a column: the sum of absolute values. The rounding error of `numerator` is in proportion to
   * it.
   */
  size?: number;
  /** Objects with an infinite number: no mean includes them. */
  infinite?: number;
}

/** The mean that is the value of a replicate: of its objects, or of the values of its images. */
export type ReplicateMean = 'objects' | 'images';

/** A replicate of a condition. */
export interface Replicate {
  condition: string;
  /** The values of the replicate columns. */
  name: readonly string[];
  /** Number of images, with known images without objects. */
  images: number;
  objects: number;
  /** Number of technical replicates with a value; absent without columns of them. */
  technical?: number;
  /** Null if there is nothing to measure. */
  value: number | null;
  /**
   * The magnitude of the numbers that the value was computed from: the rounding error is in
   * proportion to it. If absent, the value itself.
   */
  size?: number;
  /** Objects with an infinite number: the value doesn't include them. */
  infinite?: number;
  parts: readonly ImagePart[];
}

/** Replicates in the order of their first images, and the images without a replicate. */
export interface Replicates {
  replicates: Replicate[];
  /** Images without a condition. */
  withoutCondition: ImagePart[];
  /**
   * Images with a condition, but without a value in a column of replicates or technical replicates.
   */
  withoutReplicate: ImagePart[];
}

/** How the value of a replicate is computed. */
interface ReplicateLevels {
  mean: ReplicateMean;
  /** How many columns at the end of `replicate` are of technical replicates. */
  technical?: number;
}

/** Groups the parts of images by replicate. */
export function replicatesOf(
  parts: readonly ImagePart[],
  { mean, technical = 0 }: ReplicateLevels,
): Replicates {
  const withoutCondition: ImagePart[] = [];
  const withoutReplicate: ImagePart[] = [];
  const groups = new Map<string, { condition: string; name: string[]; parts: ImagePart[] }>();
  for (const part of parts) {
    const { condition } = part;
    const levels = part.replicate.filter(value => value !== null);
    if (condition === null) withoutCondition.push(part);
    else if (levels.length < part.replicate.length) withoutReplicate.push(part);
    else {
      const name = levels.slice(0, levels.length - technical);
      const key = JSON.stringify([condition, ...name]);
      const group = groups.get(key);
      if (group) group.parts.push(part);
      else groups.set(key, { condition, name, parts: [part] });
    }
  }
  const valueOf = (replicateParts: readonly Pick<ImagePart, 'numerator' | 'denominator'>[]) =>
    mean === 'objects' ? quotientOf(replicateParts) : meanOf(replicateParts.map(partValue));
  const replicates = [...groups.values()].map(({ condition, name, parts: replicateParts }) => {
    const technicalReplicates = technical > 0 ? technicalParts(replicateParts, technical) : undefined;
    const values = technicalReplicates?.map(valueOf);
    const size = technicalReplicates
      ? meanOf(technicalReplicates.map(itsParts => valueOf(itsParts.map(absolutePart))))
      : valueOf(replicateParts.map(absolutePart));
    return {
      condition,
      name,
      images: replicateParts.length,
      objects: replicateParts.reduce((sum, { objects }) => sum + objects, 0),
      ...(values && { technical: values.filter(value => value !== null).length }),
      value: values ? meanOf(values) : valueOf(replicateParts),
      size: size ?? 0,
      infinite: infiniteOf(replicateParts),
      parts: replicateParts,
    };
  });
  return { replicates, withoutCondition, withoutReplicate };
}

/** The parts of a replicate by technical replicate; with 0 columns of these, all of them. */
export function technicalParts(parts: readonly ImagePart[], technical: number): ImagePart[][] {
  const groups = new Map<string, ImagePart[]>();
  for (const part of parts) {
    const key = JSON.stringify(part.replicate.slice(-technical));
    const group = groups.get(key);
    if (group) group.push(part);
    else groups.set(key, [part]);
  }
  return [...groups.values()];
}

/** The name of an image, unique in its table. */
export function imageName({ path, job }: PartImage): string {
  return job === undefined ? path : `${job}: ${path}`;
}

/** Number of image paths that several jobs share in a group: the image of each job counts. */
export function pathsInSeveralJobs(groups: Iterable<readonly Pick<ImagePart, 'image'>[]>): number {
  const repeated = new Set<string>();
  for (const parts of groups) {
    const images = new Map<string, PartImage>();
    for (const { image } of parts) {
      if (!image) continue;
      const other = images.get(image.path);
      if (other && other.job !== image.job) repeated.add(image.path);
      images.set(image.path, image);
    }
  }
  return repeated.size;
}

/** Number of objects with an infinite number. */
export function infiniteOf(parts: readonly Pick<ImagePart, 'infinite'>[]): number {
  return parts.reduce((sum, { infinite = 0 }) => sum + infinite, 0);
}

/** The value of one image; null if there is nothing to measure. */
export function partValue({
  numerator,
  denominator,
}: Pick<ImagePart, 'numerator' | 'denominator'>): number | null {
  return denominator === 0 ? null : finite(numerator / denominator);
}

/** The quotient of the sums of parts; null if there is nothing to measure. */
export function quotientOf(parts: readonly Pick<ImagePart, 'numerator' | 'denominator'>[]): number | null {
  const denominator = exactSum(Float64Array.from(parts, part => part.denominator));
  if (denominator === 0) return null;
  return finite(exactSum(Float64Array.from(parts, ({ numerator }) => numerator)) / denominator);
}

/** A part with the sum of absolute values, for the magnitude of rounding errors. */
function absolutePart({
  numerator,
  denominator,
  size = numerator,
}: ImagePart): Pick<ImagePart, 'numerator' | 'denominator'> {
  return { numerator: size, denominator };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const present = values.filter(value => value !== null);
  return present.length === 0 ? null : finite(exactSum(Float64Array.from(present)) / present.length);
}

/** Null if a sum exceeded the largest double. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/**
 * Whether columns of replicates multiply n: their values have more combinations than any column has
 * values, as if each donor was measured each day. Only a user knows whether one column counts, or
 * all.
 */
export function areMultiplied(replicates: readonly Pick<Replicate, 'name'>[]): boolean {
  const [first] = replicates;
  if (!first || first.name.length < 2) return false;
  const combinations = new Set(replicates.map(({ name }) => JSON.stringify(name))).size;
  return first.name.every((_, at) => new Set(replicates.map(({ name }) => name[at])).size < combinations);
}

/** In place of the position of a replicate: the image or object has none. */
export const NO_REPLICATE = 0xffff_ffff;
