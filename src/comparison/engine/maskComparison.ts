import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { reason, quoted } from '../../base/reasons';
import type { ImageObjects } from '../../archives/engine/imageObjects';
import { haveOtherSizes } from '../../archives/imageIdentity';
import { pathOfImage } from '../../archives/masksSummary';
import {
  type ClassScores,
  type ComparedClasses,
  comparedClasses,
  type ComparableImage,
  type ComparedImageScores,
  type ComparedSide,
  type CompareRequest,
  type ComparisonScores,
  type Confusion,
  type CurvePoint,
  type ImagePair,
  type SideSummary,
  type SkippedPair,
} from '../comparison';
import {
  type MatchingCounts,
  meanRatios,
  pooledScores,
  scoresOf,
  type Threshold,
  thresholdOf,
  thresholds,
} from '../scores';
import {
  type ClassPartners,
  ComparedImage,
  type ImageCounts,
  type ImageMatching,
  objectsInPolygon,
} from './comparedImage';
import type { OnRead, ReferenceMasks } from './truth/referenceMasks';

/** Two sides and the result of their comparison; A is the reference. */
export class MaskComparison implements Disposable {
  private readonly sides: Partial<Record<ComparedSide, ReferenceMasks>> = {};
  private result: ComparisonResult | undefined;

  /** Takes ownership of a side's masks, and drops the latest comparison. */
  setSide(side: ComparedSide, masks: ReferenceMasks): SideSummary {
    this.sides[side]?.dispose();
    this.sides[side] = masks;
    this.result = undefined;
    return summaryOf(masks);
  }

  /** The masks of a side. Throws `bad-request` if the side isn't open. */
  side(side: ComparedSide): ReferenceMasks {
    const masks = this.sides[side];
    if (!masks) throw new CodedError('bad-request', `Side ${side} is not open`);
    return masks;
  }

  /** The latest result. Throws `bad-request` if there is none. */
  get latest(): ComparisonResult {
    if (!this.result) throw new CodedError('bad-request', 'Nothing was compared');
    return this.result;
  }

  /** The latest result; undefined if there is none. */
  get latestIfAny(): ComparisonResult | undefined {
    return this.result;
  }

  /**
   * Compares pairs of images; skips pairs that can't be compared. Throws `cancelled`, and keeps the
   * latest comparison then.
   */
  async compare(
    request: CompareRequest,
    onProgress: OnRead,
    signal?: AbortSignal,
  ): Promise<{ compared: number; skipped: SkippedPair[] }> {
    const a = this.side('a');
    const b = this.side('b');
    const images: ResultImage[] = [];
    const skipped: SkippedPair[] = [];
    const classes = comparedClasses(request, a.masks.summary.classes, b.masks.summary.classes);
    const partners = classPartners(classes, request, a, b);
    onProgress(0, request.pairs.length);
    const pacer = new Pacer(signal);
    for (const [index, pair] of request.pairs.entries()) {
      throwIfCanceled(signal);
      // Small images in memory don't let the thread do other work.
      if (pacer.isDue) await pacer.pause();
      try {
        const image = await compareImages(a, b, pair, request.region, signal);
        images.push(await countMatches(pair, image, partners, signal));
      } catch (error) {
        throwIfCanceled(signal);
        if (!isCoded(error)) throw error;
        skipped.push({ ...pair, reason: error.details.reason ?? quoted(error.message) });
      }
      onProgress(index + 1, request.pairs.length);
    }
    this.result = new ComparisonResult({ a, b, images, classes, partners, request, skipped });
    return { compared: images.length, skipped };
  }

  dispose(): void {
    this.sides.a?.dispose();
    this.sides.b?.dispose();
  }
}

/** The summary of a side. */
export function summaryOf({ format, masks, crowds, unknownSizes }: ReferenceMasks): SideSummary {
  const { classes, images, notes } = masks.summary;
  return {
    format,
    classes,
    notes,
    images: images.map(image => {
      const { index, id, width, height, objectCount, unreadable, unreadableCount, failure } = image;
      const comparable: ComparableImage = {
        index,
        id,
        path: pathOfImage(image),
        width,
        height,
        objectCount,
        unreadable,
        unreadableCount,
        ...(unknownSizes.has(index) && { isSizeUnknown: true }),
        ...(crowds.has(index) && { crowds: crowds.get(index)?.count ?? 0 }),
        ...(failure && { failure }),
      };
      return comparable;
    }),
  };
}

async function compareImages(
  a: ReferenceMasks,
  b: ReferenceMasks,
  pair: ImagePair,
  region: readonly number[] | undefined,
  signal: AbortSignal | undefined,
): Promise<ComparedImage> {
  const imageA = a.masks.summary.images[pair.a];
  const imageB = b.masks.summary.images[pair.b];
  if (!imageA || !imageB) throw new CodedError('bad-request', `No images ${pair.a} and ${pair.b}`);
  const [objectsOfA, objectsOfB] = [
    await a.masks.objects(pair.a, signal),
    await b.masks.objects(pair.b, signal),
  ];
  const areSizesKnown = !a.unknownSizes.has(pair.a) && !b.unknownSizes.has(pair.b);
  if (areSizesKnown && haveOtherSizes(imageA, imageB))
    throw new CodedError('bad-request', 'Sizes differ', {
      reason: reason(
        'The sizes differ: {0} × {1} and {2} × {3} pixels',
        imageA.width,
        imageA.height,
        imageB.width,
        imageB.height,
      ),
    });
  const inRegion = async (objects: ImageObjects) =>
    region ? await objectsInPolygon(objects, region, signal) : undefined;
  const [inRegionOfA, inRegionOfB] = [await inRegion(objectsOfA), await inRegion(objectsOfB)];
  return await ComparedImage.of(
    {
      a: objectsOfA,
      b: objectsOfB,
      crowds: a.crowds.get(pair.a),
      inRegion: inRegionOfA && inRegionOfB && { a: inRegionOfA, b: inRegionOfB },
    },
    signal,
  );
}

/** For each class of A, the position of the class of B that it is matched with; −1 without one. */
function classPartners(
  { mode }: ComparedClasses,
  { classPairs }: CompareRequest,
  a: ReferenceMasks,
  b: ReferenceMasks,
): ClassPartners {
  if (mode === 'all') return undefined;
  const positions = new Map(b.masks.summary.classes.map(({ name }, position) => [name, position]));
  const names = new Map(classPairs.map(pair => [pair.a, pair.b]));
  return Int32Array.from(a.masks.summary.classes, ({ name }) => positions.get(names.get(name) ?? '\0') ?? -1);
}

/** A compared image with its counts at each threshold. */
interface ResultImage {
  pair: ImagePair;
  image: ComparedImage;
  counts: ReadonlyMap<Threshold, ImageCounts>;
}

async function countMatches(
  pair: ImagePair,
  image: ComparedImage,
  partners: ClassPartners,
  signal: AbortSignal | undefined,
): Promise<ResultImage> {
  const counts = new Map<Threshold, ImageCounts>();
  for (const threshold of thresholds)
    counts.set(threshold, (await image.match(threshold, partners, signal)).counts);
  return { pair, image, counts };
}

interface ComparisonData {
  a: ReferenceMasks;
  b: ReferenceMasks;
  images: readonly ResultImage[];
  classes: ComparedClasses;
  partners: ClassPartners;
  request: CompareRequest;
  skipped: readonly SkippedPair[];
}

/** The result of a comparison for any threshold; overlaps are measured once. */
export class ComparisonResult {
  constructor(private readonly data: ComparisonData) {}

  get request(): CompareRequest {
    return this.data.request;
  }

  get skipped(): readonly SkippedPair[] {
    return this.data.skipped;
  }

  get images(): readonly { pair: ImagePair; image: ComparedImage }[] {
    return this.data.images;
  }

  get a(): ReferenceMasks {
    return this.data.a;
  }

  get b(): ReferenceMasks {
    return this.data.b;
  }

  /**
   * The outcomes of an image's objects, by the image's position. Throws `bad-request`, `cancelled`.
   */
  async matching(image: number, threshold: number, signal?: AbortSignal): Promise<ImageMatching> {
    return await this.image(image).match(checkedThreshold(threshold), this.data.partners, signal);
  }

  /** A compared image by its position. Throws `bad-request`. */
  image(position: number): ComparedImage {
    const result = this.data.images[position];
    if (!result) throw new CodedError('bad-request', `No compared image ${position}`);
    return result.image;
  }

  curve(): CurvePoint[] {
    return thresholds.map(threshold => {
      const scores = this.scoresOfImages(threshold);
      return {
        threshold: threshold / 20,
        pooled: pooledScores(scores),
        meanOverImages: meanRatios(scores),
      };
    });
  }

  /** All scores at a threshold. Throws `bad-request` for an unknown threshold. */
  scores(value: number): ComparisonScores {
    const threshold = checkedThreshold(value);
    const images = this.data.images.map(({ pair, counts }): ComparedImageScores => {
      const { objectsOfA, objectsOfB, ignored, split, merged } = counts.get(threshold) ?? NO_COUNTS;
      const scores = scoresOf(countsOf(counts.get(threshold) ?? NO_COUNTS));
      return { ...pair, objectsOfA, objectsOfB, ignored, split, merged, scores };
    });
    const byClass = this.data.partners ? this.scoresOfClasses(threshold, this.data.partners) : [];
    const totalOf = (countOf: (image: ComparedImageScores) => number) =>
      images.reduce((total, image) => total + countOf(image), 0);
    return {
      threshold: value,
      classes: this.data.classes,
      pooled: pooledScores(images.map(({ scores }) => scores)),
      meanOverImages: meanRatios(images.map(({ scores }) => scores)),
      byClass,
      meanOverClasses: meanRatios(byClass.map(({ scores }) => scores)),
      confusions: this.data.partners ? [] : this.confusions(threshold),
      split: totalOf(({ split }) => split),
      merged: totalOf(({ merged }) => merged),
      ignored: totalOf(({ ignored }) => ignored),
      images,
    };
  }

  private scoresOfImages(threshold: Threshold) {
    return this.data.images.map(({ counts }) => scoresOf(countsOf(counts.get(threshold) ?? NO_COUNTS)));
  }

  /** The scores of classes with objects: first those of A, then others of B. */
  private scoresOfClasses(threshold: Threshold, partners: Int32Array): ClassScores[] {
    const { matched, missed, extra } = this.pooledCounts(threshold);
    const namesOfA = this.data.a.masks.summary.classes.map(({ name }) => name);
    const namesOfB = this.data.b.masks.summary.classes.map(({ name }) => name);
    const scores: ClassScores[] = [];
    const classesOfPairs = new Set<number>();
    namesOfA.forEach((name, a) => {
      const b = partners[a] as number;
      const pairs = matched.find(pair => pair.a === a);
      const isCounted = classesOfPairs.has(b);
      if (b >= 0) classesOfPairs.add(b);
      const counts: MatchingCounts = {
        tp: pairs?.count ?? 0,
        iouSum: pairs?.iouSum ?? 0,
        fn: missed.get(a) ?? 0,
        // If several classes of A match one of B, its unmatched objects count once.
        fp: b >= 0 && !isCounted ? (extra.get(b) ?? 0) : 0,
      };
      if (counts.tp + counts.fn + counts.fp === 0) return;
      scores.push({ a: name, ...(b >= 0 && { b: namesOfB[b] ?? '' }), scores: scoresOf(counts) });
    });
    namesOfB.forEach((name, b) => {
      const fp = classesOfPairs.has(b) ? 0 : (extra.get(b) ?? 0);
      if (fp > 0) scores.push({ b: name, scores: scoresOf({ tp: 0, iouSum: 0, fn: 0, fp }) });
    });
    return scores;
  }

  private confusions(threshold: Threshold): Confusion[] {
    const { matched, missed, extra } = this.pooledCounts(threshold);
    const nameOfA = (position: number) => this.data.a.masks.summary.classes[position]?.name ?? '';
    const nameOfB = (position: number) => this.data.b.masks.summary.classes[position]?.name ?? '';
    return [
      ...matched.map(({ a, b, count }) => ({ a: nameOfA(a), b: nameOfB(b), count })),
      ...[...missed].map(([a, count]) => ({ a: nameOfA(a), count })),
      ...[...extra].map(([b, count]) => ({ b: nameOfB(b), count })),
    ];
  }

  private pooledCounts(threshold: Threshold): Pick<ImageCounts, 'matched' | 'missed' | 'extra'> {
    const matched = new Map<string, ImageCounts['matched'][number]>();
    const missed = new Map<number, number>();
    const extra = new Map<number, number>();
    for (const { counts } of this.data.images) {
      const imageCounts = counts.get(threshold) ?? NO_COUNTS;
      for (const { a, b, count, iouSum } of imageCounts.matched) {
        const pooled = matched.get(`${a}:${b}`) ?? { a, b, count: 0, iouSum: 0 };
        pooled.count += count;
        pooled.iouSum += iouSum;
        matched.set(`${a}:${b}`, pooled);
      }
      for (const [key, count] of imageCounts.missed) missed.set(key, (missed.get(key) ?? 0) + count);
      for (const [key, count] of imageCounts.extra) extra.set(key, (extra.get(key) ?? 0) + count);
    }
    return { matched: [...matched.values()], missed, extra };
  }
}

const NO_COUNTS: ImageCounts = {
  matched: [],
  missed: new Map(),
  extra: new Map(),
  objectsOfA: 0,
  objectsOfB: 0,
  ignored: 0,
  split: 0,
  merged: 0,
};

function countsOf({ matched, missed, extra }: ImageCounts): MatchingCounts {
  const counts: MatchingCounts = { tp: 0, fp: 0, fn: 0, iouSum: 0 };
  for (const { count, iouSum } of matched) {
    counts.tp += count;
    counts.iouSum += iouSum;
  }
  for (const count of missed.values()) counts.fn += count;
  for (const count of extra.values()) counts.fp += count;
  return counts;
}

/** Checks a threshold. Throws `bad-request` for an unknown one. */
function checkedThreshold(value: number): Threshold {
  const threshold = thresholdOf(value);
  if (threshold === undefined)
    throw new CodedError('bad-request', `No threshold ${value}`, { subject: String(value) });
  return threshold;
}
