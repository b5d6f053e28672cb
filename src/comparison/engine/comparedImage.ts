import { Pacer, runInSlices } from '../../base/node/slices';
import { type ImageObjects, ObjectColumns } from '../../archives/engine/imageObjects';
import { Outcome } from '../comparison';
import type { Threshold } from '../scores';
import { bestPairs } from './bestPairs';
import { type Overlaps, overlapsOf } from './overlaps';
import { maskOfRings } from './truth/polygonMasks';

/** Classes are 16-bit. */
const MAX_CLASSES = 65_536;

/** The objects of an image on both sides, and restrictions of the comparison. */
interface ImageToCompare {
  a: ImageObjects;
  b: ImageObjects;
  /** Regions of A where unmatched objects of B don't count. Each has one of A's classes. */
  crowds?: ImageObjects | undefined;
  /** A byte for each object: 1 if it is in the region to compare. Undefined without a region. */
  inRegion?: { a: Uint8Array; b: Uint8Array } | undefined;
}

/**
 * The class of B that each class of A can be matched with, −1 without one. Undefined if classes
 * don't matter.
 */
export type ClassPartners = Int32Array | undefined;

/** Outcomes of an image's objects at a threshold. */
export interface ImageMatching {
  /** The partner of each object on the other side, −1 without one. */
  partnersOfA: Int32Array;
  partnersOfB: Int32Array;
  /** Flags of `Outcome` for each object. */
  outcomesOfA: Uint8Array;
  outcomesOfB: Uint8Array;
  counts: ImageCounts;
}

/** Counts of an image by class; all scores follow from them. */
export interface ImageCounts {
  /** Pairs of a class of A and a class of B, with the sum of their IoU. */
  matched: { a: number; b: number; count: number; iouSum: number }[];
  /** Objects without a partner, by class of A and by class of B. */
  missed: Map<number, number>;
  extra: Map<number, number>;
  /** Objects in the compared region. */
  objectsOfA: number;
  objectsOfB: number;
  ignored: number;
  split: number;
  merged: number;
}

/**
 * The objects of A and B in one image, with the number of pixels that each pair shares. With these
 * numbers, objects can be matched at any threshold and for any classes, without reading masks
 * again.
 */
export class ComparedImage {
  /** The rank of each object by ID; of equal IDs, the first one comes first. */
  private readonly ranksOfA: Uint32Array;
  private readonly ranksOfB: Uint32Array;
  private latestMatching: { key: string; matching: ImageMatching } | undefined;

  private constructor(
    readonly a: ComparedObjects,
    readonly b: ComparedObjects,
    private readonly overlaps: Overlaps,
    private readonly crowds: CrowdShares | undefined,
  ) {
    this.ranksOfA = ranksOf(a);
    this.ranksOfB = ranksOf(b);
  }

  /** Measures the overlaps of objects. Throws `too-many-objects`, `cancelled`. */
  static async of({ a, b, crowds, inRegion }: ImageToCompare, signal?: AbortSignal): Promise<ComparedImage> {
    const overlaps = await overlapsOf(a, b, signal);
    const shares = crowds && crowds.count > 0 ? await crowdShares(crowds, b, signal) : undefined;
    return new ComparedImage(
      comparedObjects(a, inRegion?.a),
      comparedObjects(b, inRegion?.b),
      overlaps,
      shares,
    );
  }

  /** Pairs that share pixels, and the number of these pixels. */
  get pairs(): Readonly<Overlaps> {
    return this.overlaps;
  }

  /** Intersection over union of pair n of `pairs`. */
  iou(n: number): number {
    const shared = this.overlaps.shared[n] as number;
    return shared / this.union(n);
  }

  /** Intersection over union of an object of A and one of B; 0 if they share no pixel. */
  iouOf(objectOfA: number, objectOfB: number): number {
    const { count, a, b } = this.overlaps;
    for (let n = 0; n < count; n++) if (a[n] === objectOfA && b[n] === objectOfB) return this.iou(n);
    return 0;
  }

  /** Matches objects; `threshold` in twentieths. Throws `cancelled`. */
  async match(threshold: Threshold, partners: ClassPartners, signal?: AbortSignal): Promise<ImageMatching> {
    const key = `${threshold}:${partners?.join() ?? ''}`;
    if (this.latestMatching?.key === key) return this.latestMatching.matching;
    const matching = await runInSlices(this.matching(threshold, partners), signal);
    this.latestMatching = { key, matching };
    return matching;
  }

  private *matching(threshold: Threshold, partners: ClassPartners): Generator<void, ImageMatching> {
    const { a, b } = this;
    const possible = this.possiblePairs(threshold, partners);
    const partnerRanks = yield* bestPairs(possible, a.count, b.count);
    const objectsOfA = objectsByRank(this.ranksOfA);
    const objectsOfB = objectsByRank(this.ranksOfB);
    const partnersOfA = new Int32Array(a.count).fill(-1);
    const partnersOfB = new Int32Array(b.count).fill(-1);
    partnerRanks.forEach((rankOfB, rankOfA) => {
      if (rankOfB < 0) return;
      const objectOfA = objectsOfA[rankOfA] as number;
      const objectOfB = objectsOfB[rankOfB] as number;
      partnersOfA[objectOfA] = objectOfB;
      partnersOfB[objectOfB] = objectOfA;
    });
    const outcomesOfA = new Uint8Array(a.count);
    const outcomesOfB = new Uint8Array(b.count);
    this.markSplitAndMerged(partners, outcomesOfA, outcomesOfB);
    const ignored = this.crowds && this.ignoredByCrowds(this.crowds, threshold, partners);
    this.markOutcomes(partnersOfA, partnersOfB, ignored, outcomesOfA, outcomesOfB);
    const counts = this.count(partnersOfA, outcomesOfA, outcomesOfB);
    return { partnersOfA, partnersOfB, outcomesOfA, outcomesOfB, counts };
  }

  private markOutcomes(
    partnersOfA: Int32Array,
    partnersOfB: Int32Array,
    ignored: Uint8Array | undefined,
    outcomesOfA: Uint8Array,
    outcomesOfB: Uint8Array,
  ): void {
    const { a, b } = this;
    for (let object = 0; object < a.count; object++) {
      if ((partnersOfA[object] as number) >= 0) addFlag(outcomesOfA, object, Outcome.Matched);
      if (a.inRegion?.[object] === 0) addFlag(outcomesOfA, object, Outcome.Outside);
    }
    for (let object = 0; object < b.count; object++) {
      const partner = partnersOfB[object] as number;
      if (partner >= 0) addFlag(outcomesOfB, object, Outcome.Matched);
      else if (ignored?.[object] === 1) addFlag(outcomesOfB, object, Outcome.Ignored);
      // A pair is outside if its object of A is.
      const isOutside = partner >= 0 ? a.inRegion?.[partner] === 0 : b.inRegion?.[object] === 0;
      if (isOutside) addFlag(outcomesOfB, object, Outcome.Outside);
    }
  }

  private count(partnersOfA: Int32Array, outcomesOfA: Uint8Array, outcomesOfB: Uint8Array): ImageCounts {
    const { a, b } = this;
    const missed = new Map<number, number>();
    const extra = new Map<number, number>();
    const counts: ImageCounts = {
      matched: [],
      missed,
      extra,
      objectsOfA: 0,
      objectsOfB: 0,
      ignored: 0,
      split: 0,
      merged: 0,
    };
    outcomesOfA.forEach((outcome, object) => {
      if (outcome & Outcome.Outside) return;
      counts.objectsOfA++;
      if (outcome & Outcome.SplitOrMerged) counts.split++;
      if (!(outcome & Outcome.Matched)) increase(missed, a.classes[object] as number);
    });
    outcomesOfB.forEach((outcome, object) => {
      if (outcome & Outcome.Outside) return;
      if (outcome & Outcome.Ignored) {
        counts.ignored++;
        return;
      }
      counts.objectsOfB++;
      if (outcome & Outcome.SplitOrMerged) counts.merged++;
      if (!(outcome & Outcome.Matched)) increase(extra, b.classes[object] as number);
    });
    const matched = new Map<number, ImageCounts['matched'][number]>();
    const { count, a: pairA, b: pairB } = this.overlaps;
    for (let n = 0; n < count; n++) {
      const objectOfA = pairA[n] as number;
      const objectOfB = pairB[n] as number;
      if (partnersOfA[objectOfA] !== objectOfB || (outcomesOfA[objectOfA] as number) & Outcome.Outside)
        continue;
      const classOfA = a.classes[objectOfA] as number;
      const classOfB = b.classes[objectOfB] as number;
      const key = classOfA * MAX_CLASSES + classOfB;
      const pairsOfClasses = matched.get(key) ?? { a: classOfA, b: classOfB, count: 0, iouSum: 0 };
      pairsOfClasses.count++;
      pairsOfClasses.iouSum += this.iou(n);
      matched.set(key, pairsOfClasses);
    }
    counts.matched = [...matched.values()];
    return counts;
  }

  private union(n: number): number {
    const { a, b, shared } = this.overlaps;
    return (
      (this.a.areas[a[n] as number] as number) +
      (this.b.areas[b[n] as number] as number) -
      (shared[n] as number)
    );
  }

  /** Pairs whose IoU reaches the threshold, by the ranks of their objects. */
  private possiblePairs(threshold: Threshold, partners: ClassPartners) {
    const { count, a, b, shared } = this.overlaps;
    const pairs = {
      count: 0,
      a: new Uint32Array(count),
      b: new Uint32Array(count),
      weight: new Float64Array(count),
    };
    for (let n = 0; n < count; n++) {
      const sharedPixels = shared[n] as number;
      const union = this.union(n);
      // Both products are below 2^53, so the comparison is exact.
      if (sharedPixels * 20 < threshold * union) continue;
      const objectOfA = a[n] as number;
      const objectOfB = b[n] as number;
      if (!this.mayMatch(objectOfA, objectOfB, partners)) continue;
      pairs.a[pairs.count] = this.ranksOfA[objectOfA] as number;
      pairs.b[pairs.count] = this.ranksOfB[objectOfB] as number;
      pairs.weight[pairs.count++] = sharedPixels / union;
    }
    return pairs;
  }

  private mayMatch(objectOfA: number, objectOfB: number, partners: ClassPartners): boolean {
    return !partners || partners[this.a.classes[objectOfA] as number] === this.b.classes[objectOfB];
  }

  /** Marks objects of A that contain half or more of each of two objects of B, and vice versa. */
  private markSplitAndMerged(
    partners: ClassPartners,
    outcomesOfA: Uint8Array,
    outcomesOfB: Uint8Array,
  ): void {
    const { count, a, b, shared } = this.overlaps;
    const partsOfA = new Uint32Array(this.a.count);
    const partsOfB = new Uint32Array(this.b.count);
    for (let n = 0; n < count; n++) {
      const objectOfA = a[n] as number;
      const objectOfB = b[n] as number;
      if (!this.mayMatch(objectOfA, objectOfB, partners)) continue;
      const doubledShare = 2 * (shared[n] as number);
      if (doubledShare >= (this.b.areas[objectOfB] as number))
        partsOfA[objectOfA] = (partsOfA[objectOfA] as number) + 1;
      if (doubledShare >= (this.a.areas[objectOfA] as number))
        partsOfB[objectOfB] = (partsOfB[objectOfB] as number) + 1;
    }
    partsOfA.forEach((parts, object) => (outcomesOfA[object] = parts >= 2 ? Outcome.SplitOrMerged : 0));
    partsOfB.forEach((parts, object) => (outcomesOfB[object] = parts >= 2 ? Outcome.SplitOrMerged : 0));
  }

  /** A byte for each object of B: 1 if enough of its area is in one crowd for the threshold. */
  private ignoredByCrowds(
    { classes, overlaps }: CrowdShares,
    threshold: Threshold,
    partners: ClassPartners,
  ): Uint8Array {
    const { count, a: crowd, b, shared } = overlaps;
    const ignored = new Uint8Array(this.b.count);
    for (let n = 0; n < count; n++) {
      const object = b[n] as number;
      const isOfClass =
        !partners || partners[classes[crowd[n] as number] as number] === this.b.classes[object];
      if (isOfClass && (shared[n] as number) * 20 >= threshold * (this.b.areas[object] as number))
        ignored[object] = 1;
    }
    return ignored;
  }
}

/** The data of an image's objects that are needed after measuring overlaps. */
export interface ComparedObjects {
  count: number;
  ids: Float64Array;
  longIds: ReadonlyMap<number, bigint>;
  classes: Uint16Array;
  areas: Float64Array;
  /** A byte for each object: 1 if it is in the compared region. Undefined without a region. */
  inRegion: Uint8Array | undefined;
}

function comparedObjects(
  { count, ids, longIds, classes, areas }: ImageObjects,
  inRegion: Uint8Array | undefined,
): ComparedObjects {
  return { count, ids, longIds, classes, areas, inRegion };
}

interface CrowdShares {
  classes: Uint16Array;
  /** Overlaps of crowds, as A, with objects of B. */
  overlaps: Overlaps;
}

async function crowdShares(
  crowds: ImageObjects,
  b: ImageObjects,
  signal: AbortSignal | undefined,
): Promise<CrowdShares> {
  return { classes: crowds.classes, overlaps: await overlapsOf(crowds, b, signal) };
}

/**
 * A byte for each object: 1 if at least half of its area is in a polygon. Corners are x and y in
 * turn; the polygon has the pixels whose centers are inside. Throws `damaged-archive` if it isn't a
 * polygon, and `cancelled`.
 */
export async function objectsInPolygon(
  objects: ImageObjects,
  polygon: readonly number[],
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const columns = new ObjectColumns(4096);
  columns.addMask(maskOfRings([polygon]), { id: 1, classIndex: 0, score: NaN });
  const region = columns.finish(objects.width, objects.height);
  const { count, b, shared } = await overlapsOf(region, objects, signal);
  const inside = new Uint8Array(objects.count);
  const pacer = new Pacer(signal);
  for (let n = 0; n < count; n++) {
    if (pacer.isDue) await pacer.pause();
    const object = b[n] as number;
    if (2 * (shared[n] as number) >= (objects.areas[object] as number)) inside[object] = 1;
  }
  return inside;
}

/** The rank of each object by ID. */
function ranksOf({ count, ids, longIds }: ComparedObjects): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, object) => object);
  const isSorted = ids.every((id, object) => object === 0 || (ids[object - 1] as number) < id);
  if (!isSorted || longIds.size > 0) {
    order.sort((a, b) => {
      const difference = (ids[a] as number) - (ids[b] as number);
      if (difference !== 0) return difference;
      const exact = exactId(a) - exactId(b);
      return exact === 0n ? a - b : exact < 0n ? -1 : 1;
    });
  }
  const ranks = new Uint32Array(count);
  order.forEach((object, rank) => (ranks[object] = rank));
  return ranks;

  function exactId(object: number): bigint {
    const longId = longIds.get(object);
    if (longId !== undefined) return longId;
    const id = ids[object] as number;
    return Number.isInteger(id) ? BigInt(id) : 0n;
  }
}

function objectsByRank(ranks: Uint32Array): Uint32Array {
  const objects = new Uint32Array(ranks.length);
  ranks.forEach((rank, object) => (objects[rank] = object));
  return objects;
}

function addFlag(outcomes: Uint8Array, object: number, flag: Outcome): void {
  outcomes[object] = (outcomes[object] as number) | flag;
}

function increase(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
